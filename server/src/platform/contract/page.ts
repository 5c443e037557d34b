/** Paged lists: `pagination: { has_next, cursor }` next to `data`. */
import { z } from 'zod'
import { isUuid } from './ids.ts'
import { Refusal } from './refusal.ts'

export const Pagination = z
  .object({
    has_next: z.boolean().describe('Whether there is another page'),
    cursor: z
      .string()
      .nullable()
      .describe('Cursor of the next page, to pass as `cursor`; null on the last page'),
  })
  .describe('Whether there is another page, and its cursor')
export type Pagination = z.infer<typeof Pagination>

/** Parses the `limit` query parameter: a whole number within bounds. */
export function limitParam(defaultLimit = 50, max = 200) {
  return z
    .string()
    .regex(/^\d{1,6}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be a whole number from 1 to ${max}`)
    .optional()
    .transform((value) => value ?? defaultLimit)
    .meta({ type: 'integer', minimum: 1, maximum: max, default: defaultLimit })
}

export const pageQuery = {
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe('Cursor of the next page, as returned by the previous page'),
  limit: limitParam().describe('Rows per page'),
}

export function encodeCursor(parts: readonly (string | number)[]): string {
  return btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Expects up to `limit + 1` rows; the extra row shows that another page follows. `cursorOf` builds its cursor. */
export function toPage<T>(
  fetchedRows: readonly T[],
  limit: number,
  cursorOf: (last: T) => readonly (string | number)[],
): { rows: T[]; pagination: Pagination } {
  const rows = fetchedRows.slice(0, limit)
  const last = rows.at(-1)
  const hasNext = fetchedRows.length > limit && last !== undefined
  return { rows, pagination: { has_next: hasNext, cursor: hasNext ? encodeCursor(cursorOf(last)) : null } }
}

/** Undefined if the text is not a result of `encodeCursor`. */
export function decodeCursor(cursor: string): (string | number)[] | undefined {
  try {
    const parts: unknown = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string' || typeof part === 'number')
      ? parts
      : undefined
  } catch {
    return undefined
  }
}

export const invalidCursor = () =>
  new Refusal('invalid_parameter', 'not a cursor returned by this route.', { field: 'cursor' })

/** The id after which the page starts; null for the first page. */
export function readIdCursor(cursor: string | undefined): string | null | Refusal {
  if (cursor === undefined) return null
  const [id] = decodeCursor(cursor) ?? []
  return typeof id === 'string' && isUuid(id) ? id : invalidCursor()
}

/** The time and id after which the page starts; null for the first page. */
export function readTimeCursor(cursor: string | undefined): { at: Date; id: string } | null | Refusal {
  if (cursor === undefined) return null
  const [time, id] = decodeCursor(cursor) ?? []
  const at = typeof time === 'string' ? new Date(time) : undefined
  if (at === undefined || Number.isNaN(at.getTime()) || typeof id !== 'string' || !isUuid(id))
    return invalidCursor()
  return { at, id }
}
