/** A bad request: a description of the fault, the request, and the exact refusal. */
import { encodeCursor } from '../../src/platform/contract/page.ts'
import { UNKNOWN_ID } from '../samples.ts'

export type Refusal = readonly [status: number, code: string]
export type BadRequest = {
  wrong: string
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  raw?: { contentType: string; bytes: string }
  headers?: Record<string, string>
  refusal: Refusal
  /** The refusal depends on stored data, so scope and role are checked first. */
  ofState?: boolean
}

export const parameter: Refusal = [400, 'invalid_parameter']
export const request: Refusal = [400, 'invalid_request']
export const range: Refusal = [400, 'invalid_date_range']
export const schema: Refusal = [422, 'validation_error']
export const tooLarge: Refusal = [413, 'payload_too_large']

export const may = { date_from: '2026-05-01', date_to: '2026-05-31' }

const withQuery = (base: Record<string, string>, refusal: Refusal, wrong: Record<string, string>[]) =>
  wrong.map((query): BadRequest => ({ wrong: JSON.stringify(query), query: { ...base, ...query }, refusal }))

/** All kinds of invalid date ranges. */
export function badRanges(base: Record<string, string> = {}): BadRequest[] {
  const ranges: Record<string, string>[] = [
    {},
    { date_from: '2026-05-01' },
    { date_to: '2026-05-01' },
    { date_from: '', date_to: '' },
    { date_from: '2026-02-30', date_to: '2026-03-01' },
    { date_from: '2026-05-01', date_to: '2026-13-01' },
    { date_from: '2026-5-1', date_to: '2026-05-02' },
    { date_from: '2026-05-01T00:00:00Z', date_to: '2026-05-02' },
    { date_from: 'yesterday', date_to: 'today' },
    { date_from: '0000-01-01', date_to: '0000-01-02' },
    { date_from: '2026-05-02', date_to: '2026-05-01' },
    { date_from: '2025-01-01', date_to: '2026-01-02' },
  ]
  return ranges.map((query) => ({
    wrong: JSON.stringify(query),
    query: { ...base, ...query },
    refusal: range,
  }))
}

export function badQueries(base: Record<string, string>, ...wrong: Record<string, string>[]): BadRequest[] {
  return withQuery(base, parameter, wrong)
}

export const badModel = { model: 'best_touch' }
export const badLevel = { level: 'keyword' }
export const badLimits = (most: number) =>
  ['0', '-1', '1.5', 'ten', '', String(most + 1), '99999999999999999999'].map((limit) => ({ limit }))
export const badCursors = [
  'garbage',
  '%00',
  encodeCursor([]),
  encodeCursor([1, 2]),
  encodeCursor(['2026-13-01', UNKNOWN_ID]),
  encodeCursor(['2026-05-01', "' or 1=1"]),
  btoa('{"a":1}'),
].map((cursor) => ({ cursor }))

/** A valid body with invalid members; undefined removes a member. */
export function badBodies(
  valid: Record<string, unknown>,
  refusal: Refusal,
  ...wrong: Record<string, unknown>[]
): BadRequest[] {
  return wrong.map((change) => ({
    wrong: JSON.stringify(change, (_, value) => (value === undefined ? 'absent' : value)).slice(0, 120),
    body: { ...valid, ...change },
    refusal,
  }))
}

/** Bodies that are refused before schema validation. */
export function badBytes(limitBytes: number): BadRequest[] {
  const json = (wrong: string, bytes: string, refusal: Refusal = request): BadRequest => ({
    wrong,
    raw: { contentType: 'application/json', bytes },
    refusal,
  })
  return [
    json('no JSON', '{'),
    json('nothing', '', schema),
    json('a list', '[]'),
    json('a NUL', '{"a":"\\u0000"}'),
    json('a lone surrogate', '{"a":"\\ud800"}'),
    json('a number too long to keep', '{"a":12345678901234567890}'),
    json('an infinite number', '{"a":1e400}'),
    json('too deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`),
    json('too large', `{"a":"${'x'.repeat(limitBytes)}"}`, tooLarge),
    { wrong: 'another content type', raw: { contentType: 'text/plain', bytes: '{}' }, refusal: request },
  ]
}

export const at = (params: Record<string, string>, cases: readonly BadRequest[]): BadRequest[] =>
  cases.map((badRequest) => ({ ...badRequest, params: { ...params, ...badRequest.params } }))

export const notUuid = (name: string, body?: Record<string, unknown>): BadRequest => ({
  wrong: `${name} is no uuid`,
  params: { [name]: '12' },
  ...(body === undefined ? {} : { body }),
  refusal: parameter,
})

export const unknown = (
  name: string,
  code: string,
  fields: Pick<BadRequest, 'query' | 'body'> = {},
): BadRequest => ({
  wrong: `an unknown ${name}`,
  params: { [name]: UNKNOWN_ID },
  ...fields,
  refusal: [404, code],
})
