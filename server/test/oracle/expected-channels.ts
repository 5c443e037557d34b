/** All of a world's revenue by the channel it came from. */
import type { Model } from './credit.ts'
import { addUp, type Delivered } from './delivery.ts'
import type { Expected } from './expected.ts'
import { noCredit, type Range, type Sum } from './ledger.ts'

const searches = ['engine', 'microsoft']
const networks = ['social', 'shortvideo', 'linkedin', 'x', 'reddit', 'snapchat', 'pinterest']

function channelOfPlatform(platform: string): string {
  if (searches.includes(platform)) return 'paid_search'
  return networks.includes(platform) ? 'paid_social' : 'paid_other'
}

export function expectedChannels(
  expected: Expected,
  model: Model,
  range: Range,
): { rows: Record<string, unknown>; total: unknown } {
  const platformOf = (level: 'campaign' | 'ad_set' | 'ad', id: string) =>
    expected.entity(level, id)?.source ?? 'unknown'
  const sums = expected.ledger.channelSums(model, range, (level, id) =>
    channelOfPlatform(platformOf(level, id)),
  )
  const delivered = new Map<string, Delivered[]>()
  for (const [platform, own] of expected.platformDeliveries(range)) {
    const channel = channelOfPlatform(platform)
    delivered.set(channel, [...(delivered.get(channel) ?? []), own])
  }
  const figures = (credit: Sum, own: Delivered) => ({
    ...expected.figures(credit, own, model),
    ...expected.newCustomers(credit, own),
  })
  const rows: Record<string, unknown> = {}
  for (const channel of new Set([...sums.keys(), ...delivered.keys()]))
    rows[channel ?? 'unknown'] = figures(
      sums.get(channel) ?? noCredit,
      addUp((channel === null ? undefined : delivered.get(channel)) ?? []),
    )
  const all = expected.ledger.everything(model, range)
  return { rows, total: figures(all, addUp([...delivered.values()].flat())) }
}
