/** All revenue of a world by channel. */
import type { Model } from './credit.ts'
import { addUp, type Delivered } from './delivery.ts'
import type { Expected } from './expected.ts'
import { noCredit, type PlacedTouch, type Range, type Sum } from './ledger.ts'

const searches = ['engine', 'microsoft']
const networks = ['social', 'shortvideo', 'linkedin', 'x', 'reddit', 'snapchat', 'pinterest']

function channelOfPlatform(platform: string): string {
  if (searches.includes(platform)) return 'paid_search'
  return networks.includes(platform) ? 'paid_social' : 'paid_other'
}

/** The channel of an ad's platform, or of the visit. */
export function channelOfTouch(expected: Expected, touch: PlacedTouch): string {
  const highest = (['campaign', 'ad_set', 'ad'] as const).find((level) => touch.place[level] !== null)
  if (highest === undefined) return touch.counted
  return channelOfPlatform(expected.entity(highest, touch.place[highest]!)?.source ?? 'unknown')
}

export function expectedChannels(
  expected: Expected,
  model: Model,
  range: Range,
): { rows: Record<string, unknown>; total: unknown } {
  const sums = expected.ledger.channelSums(model, range, (touch) => channelOfTouch(expected, touch))
  const delivered = deliveredByChannel(expected, range)
  const figures = (credit: Sum, delivery: Delivered) => ({
    ...expected.figures(credit, delivery, model),
    ...expected.newCustomers(credit, delivery),
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

export function deliveredByChannel(expected: Expected, range: Range): Map<string, Delivered[]> {
  const delivered = new Map<string, Delivered[]>()
  for (const [platform, delivery] of expected.platformDeliveries(range)) {
    const channel = channelOfPlatform(platform)
    delivered.set(channel, [...(delivered.get(channel) ?? []), delivery])
  }
  return delivered
}
