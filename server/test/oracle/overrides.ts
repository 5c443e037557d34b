/** Channel rules of a profile, set before the first step in some worlds and after the last in others. */
import type { ChannelOverride } from '../../src/features/attribution/channel-rules/contract.ts'
import type { PlacedTouch } from './ledger.ts'

/** For the few sources of a world's visits. */
const rules: ChannelOverride[] = [
  { kind: 'source', value: 'news', channel: 'affiliate' },
  { kind: 'host', value: 'google.com', channel: 'referral' },
  { kind: 'host', value: 'search.example', channel: 'messaging' },
]

export type Overrides = { rules: ChannelOverride[]; when: 'first' | 'last' }

export function overridesOf(seed: number): Overrides {
  const when = seed % 3 === 1 ? 'first' : 'last'
  return { rules: seed % 3 === 0 ? [] : rules.filter((_, index) => (seed >> (index + 2)) % 2 === 0), when }
}

/** The channel of the credit of a visit without an ad. */
export function countedChannel(touch: PlacedTouch, overrides: Overrides): string {
  const { campaign, adSet, ad } = touch.named
  if (touch.source === null || [campaign, adSet, ad].some((id) => id !== null)) return touch.channel
  // Rules that are added after the erasure match no source.
  if (touch.isErased && overrides.when === 'last') return touch.channel
  const rule = overrides.rules.find(
    ({ kind, value }) => touch.source === value || (kind === 'host' && touch.source!.endsWith(`.${value}`)),
  )
  return rule?.channel ?? touch.channel
}
