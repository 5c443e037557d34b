/** Shapes a route's response for a model: few fields, no personal values, and how to reproduce it. */
import { withoutPersonalValues } from '../platform/contract/personal-values.ts'
import type { Tool } from './tools.ts'

export type ApiAnswer = { data: unknown; meta?: Record<string, unknown>; [extra: string]: unknown }
export type ApiCall = { method: string; url: string }
type Json = { [member: string]: unknown }

/** Fields of `meta` needed to interpret the figures. */
const conciseMeta = [
  'profile_id',
  'date_from',
  'date_to',
  'model',
  'currency',
  'total_rows',
  'truncated',
  'reconciliation',
  'as_of',
]

/** Bidirectional overrides and tag characters: invisible to people, but read by models. */
const invisible = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

export function toResult(
  answer: ApiAnswer,
  shape: {
    tool: Tool
    format: 'concise' | 'detailed'
    isMasked: boolean
    maxRows: number
    apiCall: ApiCall
    resultHash: string
  },
): Json {
  const { meta = {}, data, ...extra } = answer
  const isConcise = shape.format === 'concise'
  const names = isConcise ? shape.tool.mcp.concise?.split(' ') : undefined
  const rows = Array.isArray(data) ? data.length : 0
  const cut = Array.isArray(data) ? data.slice(0, shape.maxRows) : data
  const fields =
    names === undefined ? cut : Array.isArray(cut) ? cut.map((row) => pick(row, names)) : pick(cut, names)
  const total = names !== undefined && extra.total !== undefined ? { total: pick(extra.total, names) } : {}
  const result = {
    data: fields,
    ...extra,
    ...total,
    meta: isConcise ? pick(meta, conciseMeta) : meta,
    ...(rows > shape.maxRows
      ? { rows_capped: { shown: shape.maxRows, of: rows, by: 'max_rows of the workspace' } }
      : {}),
    ...(shape.isMasked ? { personal_values: 'masked' } : {}),
    api_call: shape.apiCall,
    result_hash: shape.resultHash,
  }
  return cleaned(result, shape.isMasked) as Json
}

function pick(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

export function cleaned(value: unknown, isMasked: boolean): unknown {
  if (typeof value === 'string') {
    const visible = value.replace(invisible, '')
    return isMasked ? withoutPersonalValues(visible) : visible
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, isMasked))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner, isMasked)]))
}
