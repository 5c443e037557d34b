/**
 * Validation errors for API callers: which field, what is wrong, what is allowed. Independent of the validator's
 * own texts.
 */
import type { z } from 'zod'

export type ParseFailure = { ok: false; path: string; rule: string; problem: string; message: string }
export type Parsed<T> = { ok: true; value: T } | ParseFailure

type RawIssue = z.core.$ZodRawIssue
type Issue = z.core.$ZodIssue

/** `subject` names the value in messages about no particular field. */
export function parseAs<S extends z.ZodType>(
  schema: S,
  value: unknown,
  subject = 'The body',
): Parsed<z.output<S>> {
  // A message defined in the schema takes precedence.
  const parsed = schema.safeParse(value, { error: issueText })
  if (parsed.success) return { ok: true, value: parsed.data }
  const issue = closest(parsed.error.issues[0]!)
  const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...issue.path, ...unknownKeys].join('.')
  const problem = `${issue.message}.`
  return {
    ok: false,
    path,
    rule: ruleOf(issue),
    problem,
    message: `${path === '' ? subject : path}: ${problem}`,
  }
}

/** For a union, the issue of the branch that the value matched most closely. */
function closest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const branches = issue.errors.map((issues) => issues[0]).filter((first) => first !== undefined)
  const inside = branches.find((first) => first.path.length > 0)
  if (inside === undefined) return issue
  return closest({ ...inside, path: [...issue.path, ...inside.path] })
}

/** Name of the violated rule, for clients with their own texts. */
function ruleOf(issue: Issue): string {
  if (issue.message.startsWith('is required')) return 'required'
  return issue.code === 'invalid_format' ? issue.format : issue.code
}

function issueText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${typeWords(issue.expected)}`
    case 'invalid_value':
      return issue.input === undefined
        ? `is required: ${choiceOf(issue.values)}`
        : `must be ${choiceOf(issue.values)}`
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum), issue.inclusive !== false)
    case 'too_big':
      return atMost(issue.origin, Number(issue.maximum), issue.inclusive !== false)
    case 'invalid_format':
      return formatWords(issue.format, issue.pattern)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return 'unknown field'
    case 'invalid_union':
      if (issue.input === undefined) return 'is required'
      // A discriminated union has no branch errors when the discriminator matches none.
      return issue.errors.length === 0 && 'options' in issue
        ? `must be ${choiceOf(issue.options as unknown[])}`
        : unionWords(issue.errors)
    case 'invalid_key':
      return 'has a name that is not allowed'
    default:
      return 'is not allowed here'
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeWords(expected: string): string {
  return types[expected] ?? `a ${expected}`
}

function choiceOf(values: readonly unknown[]): string {
  const names = values.map(String)
  return names.length === 1 ? names[0]! : `one of ${names.join(', ')}`
}

function atLeast(origin: string, minimum: number, inclusive: boolean): string {
  if (origin === 'string')
    return minimum === 1 ? 'must not be empty' : `must have ${minimum} characters or more`
  if (origin === 'array' || origin === 'set')
    return minimum === 1 ? 'must not be empty' : `must have ${minimum} items or more`
  return inclusive ? `must be ${minimum} or more` : `must be more than ${minimum}`
}

function atMost(origin: string, maximum: number, inclusive: boolean): string {
  if (origin === 'string') return `must have ${maximum} characters or fewer`
  if (origin === 'array' || origin === 'set') return `must have ${maximum} items or fewer`
  return inclusive ? `must be ${maximum} or less` : `must be less than ${maximum}`
}

const formats: Record<string, string> = {
  uuid: 'must be a UUID',
  email: 'must be an email address',
  url: 'must be a URL',
  date: 'must be a day such as 2026-01-31',
  datetime: 'must be a time in ISO 8601 such as 2026-01-31T09:30:00Z',
}

function formatWords(format: string, pattern: string | undefined): string {
  const text = formats[format]
  if (text !== undefined) return text
  return pattern === undefined ? `must be a valid ${format}` : `must match ${pattern}`
}

function unionWords(errors: readonly (readonly Issue[])[]): string {
  const options = errors.flatMap((issues) => issues[0]?.message.replace(/^must be /, '') ?? [])
  const distinct = [...new Set(options)]
  return distinct.length === 0 ? 'is not allowed here' : `must be ${distinct.join(', or ')}`
}
