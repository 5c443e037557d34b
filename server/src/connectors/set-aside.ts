/** Parses lists item by item, so that one bad record does not lose its page: it is reported with a reason. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isDay } from '../platform/contract/dates.ts'
import { type Ability, ProviderError, type SetAside, type SyncRecord } from './connector.ts'

export type ParsedItem<T> = { item: T; setAside: null } | { item: null; setAside: SetAside }

/** Schema of a list item that never fails: a bad item becomes a `SetAside` entry at its position. */
export function parsedOrSetAside<T>(kind: string, schema: z.ZodType<T>) {
  return z.unknown().transform((raw): ParsedItem<T> => {
    try {
      return { item: schema.parse(raw), setAside: null }
    } catch (error) {
      return { item: null, setAside: toSetAside(kind, raw, error) }
    }
  })
}

export const MISSING_ABILITY = 'missing_ability'

/** Kept with the set aside records, counted separately: nothing is wrong with any record. */
export const missingAbility = (ability: Ability, reason: string): SetAside => ({
  kind: MISSING_ABILITY,
  externalId: ability,
  reason,
})

export const readableItems = <T>(list: readonly ParsedItem<T>[]): T[] =>
  list.flatMap((entry) => (entry.item === null ? [] : [entry.item]))

export const setAsideEntries = (list: readonly ParsedItem<unknown>[]): SetAside[] =>
  list.flatMap((entry) => (entry.setAside === null ? [] : [entry.setAside]))

/** Maps items to records. An item that the mapping finds malformed is set aside like one that could not be parsed. */
export function mapItems<T>(
  kind: string,
  list: readonly ParsedItem<T>[],
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

/** Rethrows errors that are not about the record. */
export function toSetAside(kind: string, item: unknown, error: unknown): SetAside {
  const day = dayIn(item)
  return { kind, externalId: idOf(item), reason: reasonOf(error), ...(day === null ? {} : { day }) }
}

const dayNames = new Set(['date', 'date_start', 'stat_time_day', 'TimePeriod'])

/** The day of a report row, under the field names of the platforms. */
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
    const day = dayIn(inner, depth + 1)
    if (day !== null) return day
  }
  return null
}

function reasonOf(error: unknown): string {
  if (error instanceof ProviderError && error.reason === 'malformed') return error.message
  if (error instanceof z.ZodError) {
    const issuePaths = error.issues.map((issue) => issue.path.join('.') || '(the record)').slice(0, 5)
    return `Not readable at ${issuePaths.join(', ')}`
  }
  if (error instanceof RangeError || error instanceof SyntaxError) return 'A value is out of range'
  throw error
}

/** The provider's id, or else a digest of the record, so that the same record always has the same id. */
function idOf(raw: unknown): string {
  const { id, _id, conversionId } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<
    string,
    unknown
  >
  const providerId = id ?? _id ?? conversionId
  if (typeof providerId === 'string' || typeof providerId === 'number')
    return String(providerId).slice(0, 200)
  return createHash('sha256')
    .update(JSON.stringify(raw) ?? '')
    .digest('hex')
    .slice(0, 32)
}
