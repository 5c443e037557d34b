/**
 * Whether a channel follows people who buy anyway. A later visit cannot cause an earlier payment: where people who have
 * paid before come through a channel more often than others from the same visit before, the channel is steered to buyers
 * (retargeting, mail to customers), and what follows its visits shows who it is sent to.
 */
import { PERSON_GROUPS, type VisitCell } from './model.ts'

/** Visits after another of the same journey, by the channels of both and whether the person had paid before. */
export type Transition = {
  group: number
  period: VisitCell['period']
  from: number
  to: number
  hasPaid: boolean
  visits: number
}

/** By channel: how many standard errors more often it is met by people who have paid before. */
export function payerBiasByChannel(transitions: readonly Transition[], channelCount: number): number[] {
  const strata = new Map<string, Float64Array>()
  for (const transition of transitions) {
    const key = stratumOf(transition)
    const counts = strata.get(key) ?? new Float64Array(channelCount)
    strata.set(key, counts)
    counts[transition.to]! += transition.visits
  }
  const totals = new Map(
    [...strata].map(([key, counts]) => [key, counts.reduce((sum, count) => sum + count, 0)]),
  )
  const excess = Array.from({ length: channelCount }, () => new Float64Array(PERSON_GROUPS))
  for (const transition of transitions) {
    if (!transition.hasPaid) continue
    const key = stratumOf(transition)
    for (const [channel, byGroup] of excess.entries()) {
      const usual = strata.get(key)![channel]! / totals.get(key)!
      byGroup[transition.group]! += transition.visits * ((channel === transition.to ? 1 : 0) - usual)
    }
  }
  return excess.map(sigmasOf)
}

/** Traffic changes with time, and a visit resembles the one before. */
const stratumOf = ({ period, from }: Transition): string => `${period} ${from}`

/** A sum over groups of people, in standard errors. */
export function sigmasOf(byGroup: Float64Array): number {
  const total = byGroup.reduce((sum, group) => sum + group, 0)
  const mean = total / byGroup.length
  const variance = byGroup.reduce((sum, group) => sum + (group - mean) ** 2, 0) / (byGroup.length - 1)
  return variance === 0 ? 0 : total / Math.sqrt(variance * byGroup.length)
}
