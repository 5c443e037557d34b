/** One bad record never loses a page: each item of a list is judged by itself, and a bad one is named with its reason. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ProviderError, type SetAside, type SyncRecord } from './connector.ts'

export type Judged<T> = { item: T; setAside: null } | { item: null; setAside: SetAside }

/** An item of a list that is kept in its place, readable or not. */
export function judged<T>(kind: string, schema: z.ZodType<T>) {
  return z.unknown().transform((raw): Judged<T> => {
    const parsed = schema.safeParse(raw)
    if (parsed.success) return { item: parsed.data, setAside: null }
    const where = parsed.error.issues.map((issue) => issue.path.join('.') || '(the record)').slice(0, 5)
    return {
      item: null,
      setAside: { kind, externalId: idOf(raw), reason: `Not readable at ${where.join(', ')}` },
    }
  })
}

export const readable = <T>(list: readonly Judged<T>[]): T[] =>
  list.flatMap((entry) => (entry.item === null ? [] : [entry.item]))

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
  if (!(error instanceof ProviderError) || error.reason !== 'malformed') throw error
  return { kind, externalId: idOf(item), reason: error.message }
}

/** The provider's own id where there is one, else a digest, so that the same record is the same one again. */
function idOf(raw: unknown): string {
  const { id, _id } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  const own = id ?? _id
  if (typeof own === 'string' || typeof own === 'number') return String(own).slice(0, 200)
  return createHash('sha256')
    .update(JSON.stringify(raw) ?? '')
    .digest('hex')
    .slice(0, 32)
}
