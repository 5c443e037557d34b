/**
 * Effects planted in the sandboxes' world for the reports to detect: two ads fatigue, and customer quotes
 * draw more clicks and far more buyers than other hooks.
 */
import { addDays, daysBetween } from './days.ts'
import { seededRandom } from './seeded-random.ts'

/** An ad loses 5 % of its clicks on each of these days; afterwards its fatigue is constant. */
const TIRING_DAYS = 30
const TIRES_SINCE_DAYS = 18

type Place = { platform: string; campaignIndex: number; adSetIndex: number; adIndex: number }
type Tiring = { fatigueStart: string | null }

/** One customer story in each of two social campaigns began to fatigue before the sandbox was started. */
export function fatigueStart(ad: Place, startedOn: string): string | null {
  const isTiring =
    ad.platform === 'social' && ad.campaignIndex % 2 === 0 && ad.adSetIndex === 0 && ad.adIndex === 0
  return isTiring ? addDays(startedOn, -TIRES_SINCE_DAYS) : null
}

const tiredDays = ({ fatigueStart }: Tiring, day: string): number =>
  fatigueStart === null ? 0 : Math.min(TIRING_DAYS, Math.max(0, daysBetween(fatigueStart, day)))

/** Remaining share of an ad's clicks on a day. */
export const fatigueOf = (ad: Tiring, day: string): number => 0.95 ** tiredDays(ad, day)

/** How often the same person saw the ad in the seven days up to this one. */
export function worldFrequency(ad: Tiring & { id: string }, day: string): number {
  const random = seededRandom('frequency', ad.id, day)
  const usual = 1.15 + seededRandom('frequency', ad.id).next() * 0.6
  return usual * (1 + tiredDays(ad, day) * 0.05) * (0.97 + random.next() * 0.06)
}

const isQuote = ({ title }: { title: string }) => title.startsWith('“')

/** Planted pattern: titles in quotation marks draw more clicks. */
export const clickLift = (ad: { title: string }): number => (isQuote(ad) ? 1.15 : 1)
/** Planted pattern: more of their clickers buy. */
export const buyerLift = (ad: { title: string }): number => (isQuote(ad) ? 4 : 1)
