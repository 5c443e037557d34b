/** The five attribution models for a single conversion. */
import { DAY, split } from './decimal.ts'
import type { Settings } from './history.ts'

export const models = ['last_touch', 'first_touch', 'linear', 'time_decay', 'last_non_direct'] as const
export type Model = (typeof models)[number]

export type Timed = { id: string; at: number; recordedAt: number; isDirect: boolean }

/** A touch with its share, or with the reason why it has none. */
export type Verdict<T> = { touch: T } & (
  | { weight: bigint; total: bigint; money: bigint }
  | { weight: null; reason: string }
)

export function inOrder<T extends { id: string; at: number; recordedAt: number }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => {
    if (a.at !== b.at) return a.at - b.at
    if (a.recordedAt !== b.recordedAt) return a.recordedAt - b.recordedAt
    return a.id < b.id ? -1 : 1
  })
}

/** Every touch of the person in order, with its verdict under the model. */
export function evaluateTouches<T extends Timed>(
  model: Model,
  conversion: { at: number; money: bigint },
  touches: readonly T[],
  settings: Settings,
): Verdict<T>[] {
  const days = model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays
  const ordered = inOrder(touches)
  const eligible = ordered.filter(
    (touch) => touch.at <= conversion.at && touch.at >= conversion.at - days * DAY,
  )
  const weights = new Map<T, bigint>()
  const reasons = new Map<T, string>()
  const only = (chosen: T | undefined, reasonOf: (touch: T) => string) => {
    for (const touch of eligible)
      if (touch === chosen) weights.set(touch, 1n)
      else reasons.set(touch, reasonOf(touch))
  }
  if (model === 'first_touch') only(eligible[0], () => 'not_first')
  if (model === 'last_touch') only(latest(eligible), () => 'not_last')
  if (model === 'last_non_direct') {
    const indirect = latest(eligible.filter((touch) => !touch.isDirect))
    if (indirect === undefined) only(latest(eligible), () => 'not_last')
    else only(indirect, (touch) => (touch.isDirect ? 'direct_skipped_by_model' : 'not_last'))
  }
  if (model === 'linear') for (const touch of eligible) weights.set(touch, 1n)
  if (model === 'time_decay') {
    const newest = eligible.reduce((time, touch) => Math.max(time, touch.at), 0)
    for (const touch of eligible) {
      const halvings = (newest - touch.at) / (settings.halfLifeDays * DAY)
      weights.set(touch, BigInt(Math.max(1, Math.round(2 ** 32 * 2 ** -halvings))))
    }
  }
  const credited = eligible.filter((touch) => weights.has(touch))
  const creditedWeights = credited.map((touch) => weights.get(touch)!)
  const total = creditedWeights.reduce((sum, weight) => sum + weight, 0n)
  const parts = split(conversion.money, creditedWeights)
  return ordered.map((touch): Verdict<T> => {
    const at = credited.indexOf(touch)
    if (at >= 0) return { touch, weight: creditedWeights[at]!, total, money: parts[at]! }
    if (touch.at > conversion.at) return { touch, weight: null, reason: 'after_conversion' }
    return { touch, weight: null, reason: reasons.get(touch) ?? 'outside_lookback' }
  })
}

/** The latest touch; of simultaneous ones the one recorded first. */
function latest<T extends Timed>(ordered: readonly T[]): T | undefined {
  let best: T | undefined
  for (const touch of ordered) if (best === undefined || touch.at > best.at) best = touch
  return best
}
