/**
 * Detects channels that target people who buy anyway (retargeting, mail to customers). A later visit cannot cause an
 * earlier payment. So if previous payers use a channel more often than others with the same previous visit, the channel is
 * targeted at buyers, and conversions after its visits reflect its audience rather than its effect.
 */
import { PERSON_GROUPS, type VisitCell } from './model.ts'

/** Count of visits by their channel, the channel of the previous visit and whether the person had paid before. */
export type Transition = {
  group: number
  period: VisitCell['period']
  from: number
  to: number
  hasPaid: boolean
  visits: number
}

/** Per channel: the excess of visits by previous payers over the expectation, in standard errors. */
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
      const expected = strata.get(key)![channel]! / totals.get(key)!
      byGroup[transition.group]! += transition.visits * ((channel === transition.to ? 1 : 0) - expected)
    }
  }
  return excess.map(sigmasOf)
}

/** Stratifies by period and previous channel: traffic changes over time, and a visit resembles the previous one. */
const stratumOf = ({ period, from }: Transition): string => `${period} ${from}`

/** The sum over groups of people, in standard errors. */
export function sigmasOf(byGroup: Float64Array): number {
  const total = byGroup.reduce((sum, group) => sum + group, 0)
  const mean = total / byGroup.length
  const variance = byGroup.reduce((sum, group) => sum + (group - mean) ** 2, 0) / (byGroup.length - 1)
  return variance === 0 ? 0 : total / Math.sqrt(variance * byGroup.length)
}
