/** Due days, hashes and limits of exports of one customer's data. Pure. */
import { createHash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { addDays, DAY_MS, isDay } from '../../../platform/contract/dates.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { decodeCursor, invalidCursor } from '../../../platform/contract/page.ts'
import type { Refusal } from '../../../platform/contract/refusal.ts'
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts'
import type { laws } from './contract.ts'

export type Law = (typeof laws)[number]

/** The file is deleted after a week. */
export const FILE_MS = 7 * DAY_MS
export const AWAITING_MS = 3 * DAY_MS
/** A platform's request waits until it is due, and a month longer, so that an overdue one is still seen. */
export const PLATFORM_MS = 60 * DAY_MS
export const REPEAT_MS = DAY_MS
export const CODE_MS = 10 * 60_000
export const MAX_TRIES = 5
export const MAX_CODES = 5
export const MAX_OPEN = 20
export const MAX_PER_DAY = 200

/**
 * Days to answer: GDPR article 12(3) one month; LGPD article 19 II 15 days; Chile, Ley 21.719 article 11, 30 days;
 * CCPA 45 days. `other` counts as 30 days.
 */
const daysOf: Record<Exclude<Law, 'gdpr'>, number> = { lgpd: 15, chile: 30, ccpa: 45, other: 30 }

export function dueOn(law: Law, requestedOn: string): string {
  return law === 'gdpr' ? nextMonth(requestedOn) : addDays(requestedOn, daysOf[law])
}

/** The same day of the next month, or its last day. */
function nextMonth(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Finds a repeated request without storing the identifier. */
export function requestHash(parts: readonly string[], pepper: KeyObject): Buffer {
  return Buffer.from(keyedHash(pepper, ['data export', ...parts].join('\n')), 'hex')
}

export function codeHash(exportId: string, code: string, pepper: KeyObject): Buffer {
  return Buffer.from(keyedHash(pepper, `data export code\n${exportId}\n${code}`), 'hex')
}

export type CodeState = {
  code_hash: Buffer | null
  code_expires_at: Date | null
  code_tries: number
}

export function checkCode(state: CodeState, hash: Buffer, now: Date): 'right' | 'wrong' | 'expired' {
  const { code_hash: stored, code_expires_at: expiresAt, code_tries: tries } = state
  if (stored === null || expiresAt === null || expiresAt <= now || tries >= MAX_TRIES) return 'expired'
  return stored.length === hash.length && timingSafeEqual(stored, hash) ? 'right' : 'wrong'
}

/** Id of a part of the file, so that a part is readable in its own place only. */
export function partId(exportId: string, part: number): string {
  const hex = createHash('sha256').update(`${exportId} ${part}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export type ListPlace = { rank: number; due: string; id: string }

/** The export after which the page starts; null for the first page. */
export function readPlace(cursor: string | undefined): ListPlace | null | Refusal {
  if (cursor === undefined) return null
  const [rank, due, id] = decodeCursor(cursor) ?? []
  const isPlace =
    (rank === 0 || rank === 1) &&
    typeof due === 'string' &&
    isDay(due) &&
    typeof id === 'string' &&
    isUuid(id)
  return isPlace ? { rank, due, id } : invalidCursor()
}
