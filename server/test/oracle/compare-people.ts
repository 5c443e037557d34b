/** Compares counts of people reached by ads, and of clicks that named their ad. */
import { listAdPeople } from '../../src/features/insights/people-reached/contract.ts'
import { getAdIdQuality } from '../../src/features/insights/reports/contract.ts'
import type { Asking } from './asking.ts'
import { models } from './credit.ts'
import { expectedAdIdQuality, expectedAdPeople, reachChannels } from './expected-people.ts'

export class PeopleComparison {
  private readonly asking: Asking

  constructor(asking: Asking) {
    this.asking = asking
  }

  async run(): Promise<void> {
    const { asking } = this
    for (const groupBy of asking.some(['month', 'day', 'ad'] as const, 1))
      for (const firstOnly of asking.some([true, false], 1)) await this.adPeople(groupBy, firstOnly)
    await this.adIdQuality()
  }

  private async adPeople(groupBy: 'month' | 'day' | 'ad', firstOnly: boolean): Promise<void> {
    const { asking } = this
    const range = groupBy === 'day' ? asking.part() : asking.range()
    const channel = asking.random.chance(0.5) ? null : asking.random.pick(reachChannels)
    const limit = asking.random.pick([1, 2, 100])
    const reply = await asking.player.call(listAdPeople, {
      query: {
        date_from: range.from,
        date_to: range.to,
        group_by: groupBy,
        first_only: firstOnly ? 'true' : 'false',
        ...(channel === null ? {} : { channel }),
        ...(groupBy === 'ad' ? { limit: String(limit) } : {}),
      },
    })
    const { origin_labels: _, ...got } = reply.data
    const where = `ad people by ${groupBy} ${firstOnly ? 'first ' : ''}${channel ?? 'all'} ${range.from}..${range.to}`
    const query = { range, groupBy, channel, firstOnly, limit }
    asking.check(where, expectedAdPeople(asking.expected, query), got)
    asking.checkProof(where, reply)
  }

  private async adIdQuality(): Promise<void> {
    const { asking } = this
    const model = asking.random.pick(models)
    const range = asking.range()
    const reply = await asking.player.call(getAdIdQuality, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    const got = { ...reply.data, unknown_ads: reply.data.unknown_ads.map((row) => row.ad_id) }
    asking.check(`ad ids ${model}`, expectedAdIdQuality(asking.expected, model, range), got)
    // Unknown ads are those of now, so the hash leaves them out.
    const { platforms } = reply.data
    asking.checkMeta(`ad ids ${model}`, reply, { level: 'ad', model, range }, 0, { platforms })
  }
}
