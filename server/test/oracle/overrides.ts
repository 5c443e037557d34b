/** A profile's own channel rules, in some worlds from the first step on and in some after the last. */
import type { ChannelOverride } from '../../src/features/attribution/channel-rules/contract.ts'
import type { PlacedTouch } from './ledger.ts'

/** For the few sources that a world's visitors come from. */
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

/** The channel that the visit's credit is counted by, where no ad was named. */
export function countedChannel(touch: PlacedTouch, overrides: Overrides): string {
  const { campaign, adSet, ad } = touch.named
  if (touch.source === null || [campaign, adSet, ad].some((id) => id !== null)) return touch.channel
  // Rules that came after the erasure find no source any more.
  if (touch.isErased && overrides.when === 'last') return touch.channel
  const found = overrides.rules.find(
    ({ kind, value }) => touch.source === value || (kind === 'host' && touch.source!.endsWith(`.${value}`)),
  )
  return found?.channel ?? touch.channel
}
