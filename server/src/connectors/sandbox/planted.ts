/**
 * Truths planted in the sandboxes' world, for a reader of the figures to find: one ad in four tires in
 * the second half of each 90 days, and what a customer says draws more clicks than anything else.
 */
import { dayNumber } from '../../platform/contract/dates.ts'
import { seededRandom } from '../../platform/seeded-random.ts'

const CYCLE_DAYS = 90
const FRESH_DAYS = 45

/** One ad in four. */
const tires = (ad: { id: string }): boolean => seededRandom('tires', ad.id).chance(0.25)

/** Days since the ad began to tire; negative or null while it does not. The cycle hangs on the calendar, not on the clock. */
function tiredDays(ad: { id: string }, day: string): number | null {
  if (!tires(ad)) return null
  const phase = seededRandom('tires since', ad.id).int(0, CYCLE_DAYS - 1)
  return ((dayNumber(day) + phase) % CYCLE_DAYS) - FRESH_DAYS
}

/** What is left of an ad's clicks on a day: all of them, or 3 % less each day that it tires. */
export function fatigueOf(ad: { id: string }, day: string): number {
  const tired = tiredDays(ad, day)
  return tired === null || tired <= 0 ? 1 : 0.97 ** tired
}

/** How often the same person saw the ad in the seven days up to this one. */
export function worldFrequency(ad: { id: string }, day: string): number {
  const random = seededRandom('frequency', ad.id, day)
  const usual = 1.15 + seededRandom('frequency', ad.id).next() * 0.6
  const tired = Math.max(0, tiredDays(ad, day) ?? 0)
  return usual * (1 + tired * 0.05) * (0.97 + random.next() * 0.06)
}

/** The planted pattern: a title in quotation marks draws 1.4 times the clicks. */
export const creativeLift = (ad: { title: string }): number => (ad.title.startsWith('“') ? 1.4 : 1)
