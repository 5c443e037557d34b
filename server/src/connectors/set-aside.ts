/** One bad record never loses a page: each item of a list is judged by itself, and a bad one is named with its reason. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isDay } from '../platform/contract/dates.ts'
import { ProviderError, type SetAside, type SyncRecord } from './connector.ts'

export type Judged<T> = { item: T; setAside: null } | { item: null; setAside: SetAside }

/** An item of a list that is kept in its place, readable or not. */
export function judged<T>(kind: string, schema: z.ZodType<T>) {
  return z.unknown().transform((raw): Judged<T> => {
    try {
      return { item: schema.parse(raw), setAside: null }
    } catch (error) {
      return { item: null, setAside: toSetAside(kind, raw, error) }
    }
  })
}

export const readable = <T>(list: readonly Judged<T>[]): T[] =>
  list.flatMap((entry) => (entry.item === null ? [] : [entry.item]))

export const setAsideOf = (list: readonly Judged<unknown>[]): SetAside[] =>
  list.flatMap((entry) => (entry.setAside === null ? [] : [entry.setAside]))

/** What the items come to. One that its mapping finds malformed is set aside like one that could not be parsed. */
export function toRecordsOf<T>(
  kind: string,
  list: readonly Judged<T>[],
  map: (item: T) => SyncRecord | SyncRecord[],
): { records: SyncRecord[]; setAside: SetAside[] } {
  const records: SyncRecord[] = []
  const setAside: SetAside[] = []
  for (const entry of list) {
    if (entry.setAside !== null) setAside.push(entry.setAside)
    else {
      try {
        records.push(...[map(entry.item)].flat())
      } catch (error) {
        setAside.push(toSetAside(kind, entry.item, error))
      }
    }
  }
  return { records, setAside }
}

/** Any other failure is not the record's and is thrown on. */
export function toSetAside(kind: string, item: unknown, error: unknown): SetAside {
  const day = dayIn(item)
  return { kind, externalId: idOf(item), reason: reasonOf(error), ...(day === null ? {} : { day }) }
}

const dayNames = new Set(['date', 'date_start', 'stat_time_day', 'TimePeriod'])

/** The day of a report's row, under the names that platforms give it. */
function dayIn(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 2) return null
  const { year, month, day } = value as Record<string, unknown>
  const parts = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  if (isDay(parts)) return parts
  const entries = Object.entries(value)
  for (const [name, inner] of entries)
    if (dayNames.has(name) && typeof inner === 'string' && isDay(inner.slice(0, 10)))
      return inner.slice(0, 10)
  for (const [, inner] of entries) {
    const found = dayIn(inner, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** A value of the wrong form, or one that no number or date can hold. */
function reasonOf(error: unknown): string {
  if (error instanceof ProviderError && error.reason === 'malformed') return error.message
  if (error instanceof z.ZodError) {
    const where = error.issues.map((issue) => issue.path.join('.') || '(the record)').slice(0, 5)
    return `Not readable at ${where.join(', ')}`
  }
  if (error instanceof RangeError || error instanceof SyntaxError) return 'A value is out of range'
  throw error
}

/** The provider's own id where there is one, else a digest, so that the same record is the same one again. */
function idOf(raw: unknown): string {
  const { id, _id, conversionId } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<
    string,
    unknown
  >
  const own = id ?? _id ?? conversionId
  if (typeof own === 'string' || typeof own === 'number') return String(own).slice(0, 200)
  return createHash('sha256')
    .update(JSON.stringify(raw) ?? '')
    .digest('hex')
    .slice(0, 32)
}
