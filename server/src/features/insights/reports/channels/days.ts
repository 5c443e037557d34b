/** Revenue per channel and day. Revenue without a channel is `unknown`, so that each day adds up to its total. */
import { platformOf } from '../../../../platform/contract/ad-providers.ts'
import { listDays } from '../../../../platform/contract/dates.ts'
import { toDecimalNumber } from '../../../../platform/contract/money.ts'
import { paidChannelOf } from '../../../../platform/contract/paid-channels.ts'
import { NIL_ENTITY } from '../../../attribution/crediting/credits/rollups.ts'
import { readSource } from '../../../attribution/crediting/credits/source-name.ts'
import { type ChannelDay, channelDays } from '../../../figures/rollups/channel-days.ts'
import { entityDetails } from '../../../figures/rollups/entities.ts'
import type { Snapshot } from '../../../figures/snapshot/snapshot.ts'
import { withoutLevel } from '../platform-totals.ts'

export type DaysOf = (channel: string) => { date: string; value: number }[]

export async function readChannelDays(
  { tx, profileId, currency, scope }: Snapshot,
  unknown: string,
): Promise<DaysOf> {
  const rows = await channelDays(tx, { profileId, ...withoutLevel(scope) })
  const ids = rows.flatMap(({ part, holder }) =>
    part === 'held_ad_set' || holder === NIL_ENTITY ? [] : [holder],
  )
  const details = await entityDetails(tx, { profileId, asOf: scope.asOf, ids: [...new Set(ids)] })
  const channelOf = ({ part, holder }: ChannelDay) => {
    if (part === 'held_ad_set') return readSource(holder).channel
    return holder === NIL_ENTITY ? unknown : paidChannelOf(platformOf(details.get(holder)?.source ?? null))
  }
  const sums = new Map<string, number>()
  const add = (channel: string, day: string, minor: number) => {
    const key = `${channel} ${day}`
    sums.set(key, (sums.get(key) ?? 0) + minor)
  }
  for (const row of rows) {
    add(channelOf(row), row.day, row.value_minor)
    // Held credit is also contained in the credit without a campaign.
    if (row.part !== 'credit') add(unknown, row.day, -row.value_minor)
  }
  const days = listDays(scope.range.from, scope.range.to)
  return (channel) =>
    days.map((date) => ({ date, value: toDecimalNumber(sums.get(`${channel} ${date}`) ?? 0, currency) }))
}
