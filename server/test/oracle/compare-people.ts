/** Compares counts of people reached by ads, and of clicks that named their ad. */
import { listAdPeople } from '../../src/features/insights/people-reached/contract.ts'
import { getAdIdQuality } from '../../src/features/insights/reports/contract.ts'
import type { ComparisonSetup } from './comparison-setup.ts'
import { models } from './credit.ts'
import { expectedAdIdQuality, expectedAdPeople, reachChannels } from './expected-people.ts'

export class PeopleComparison {
  private readonly setup: ComparisonSetup

  constructor(setup: ComparisonSetup) {
    this.setup = setup
  }

  async run(): Promise<void> {
    const { setup } = this
    for (const groupBy of setup.some(['month', 'day', 'ad'] as const, 1))
      for (const firstOnly of setup.some([true, false], 1)) await this.adPeople(groupBy, firstOnly)
    await this.adIdQuality()
  }

  private async adPeople(groupBy: 'month' | 'day' | 'ad', firstOnly: boolean): Promise<void> {
    const { setup } = this
    const range = groupBy === 'day' ? setup.part() : setup.range()
    const channel = setup.random.chance(0.5) ? null : setup.random.pick(reachChannels)
    const limit = setup.random.pick([1, 2, 100])
    const reply = await setup.player.call(listAdPeople, {
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
    setup.check(where, expectedAdPeople(setup.expected, query), got)
    setup.checkProof(where, reply)
  }

  private async adIdQuality(): Promise<void> {
    const { setup } = this
    const model = setup.random.pick(models)
    const range = setup.range()
    const reply = await setup.player.call(getAdIdQuality, {
      query: { date_from: range.from, date_to: range.to, model },
    })
    const got = { ...reply.data, unknown_ads: reply.data.unknown_ads.map((row) => row.ad_id) }
    setup.check(`ad ids ${model}`, expectedAdIdQuality(setup.expected, model, range), got)
    // Unknown ads are as of now, so the hash omits them.
    const { platforms } = reply.data
    setup.checkMeta(`ad ids ${model}`, reply, { level: 'ad', model, range }, 0, { platforms })
  }
}
