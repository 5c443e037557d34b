/**
 * No regular expression of the product has superlinear time: a path, a number or a provider's message could block the
 * service for seconds. Checked by the static analysis that linters use.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Expressions that only read short texts, because the length is checked first. */
const bounded: Record<string, string> = {
  'server/src/features/facts/identity/identifiers.ts': '/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/',
  'tracker/src/leads.ts': '/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/',
}

type Expression = { pattern: string; flags: string }

/** A slash that is no division, comment or path: two thirds of the files have none and need no parsing. */
const mayBegin = /[\s(=,:[!&|?{};+>]\/(?![/*>])/

function expressionsIn(file: string): Expression[] {
  const code = readFileSync(file, 'utf8')
  return mayBegin.test(code) ? [...expressionsOf(parseSync(file, code).program)] : []
}

function* expressionsOf(node: unknown): Generator<Expression> {
  if (node === null || typeof node !== 'object') return
  const { regex } = node as { regex?: Expression }
  if (regex) yield regex
  else for (const part of Object.values(node)) yield* expressionsOf(part)
}

const isSlow = ({ pattern, flags }: Expression): boolean =>
  analyse({ source: pattern, flags }, { reportTypes: { Move: !flags.includes('y') } }).reports.length > 0

it('no expression is slow on a long text', async () => {
  const slow: string[] = []
  let count = 0
  for await (const path of glob('{server,sandbox,engine,tracker,console}/src/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.(test|proof)\.tsx?$/.test(path)) continue
    for (const expression of expressionsIn(`${root}${path}`)) {
      count += 1
      const literal = `/${expression.pattern}/${expression.flags}`
      if (isSlow(expression) && bounded[path] !== literal) slow.push(`${path}: ${literal}`)
    }
  }
  expect(slow).toEqual([])
  expect(count).toBeGreaterThan(600)
})

it.each(['/x+$/', '/[^ ]+@b/', '/^(a+)+$/'])('detects %s', (literal) => {
  expect(isSlow({ pattern: literal.slice(1, -1), flags: '' })).toBe(true)
})
