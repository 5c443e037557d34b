/**
 * Peer groups: ads of the same channel, format, objective, audience, country and placement. With fewer than eight
 * members, parts are generalized in turn, placement first; the key has `*` for a generalized part.
 */
import type { PeerTraits } from './counts.ts'

export const MIN_PEER_GROUP = 8
/** In the order in which they are generalized. */
const generalizedParts = ['placement', 'geo', 'audienceWarmth', 'format'] as const
const parts = ['channel', 'format', 'objective', 'audienceWarmth', 'geo', 'placement'] as const

/** Ads by their index in the input: all `members` match the key; `own` are the members scored in this peer group. */
export type PeerGroup = { key: string; members: number[]; own: number[] }

/** The key of each level of generalization, finest first. */
const keysOf = (values: readonly string[]): string[] =>
  Array.from({ length: generalizedParts.length + 1 }, (_, level) => {
    const without: readonly string[] = generalizedParts.slice(0, level)
    return parts.map((part, index) => (without.includes(part) ? '*' : values[index]!)).join('|')
  })

/** An ad is scored in the finest peer group that is large enough, else in the coarsest. */
export function peerGroupsOf(ads: readonly PeerTraits[]): PeerGroup[] {
  // There are many ads but few kinds of them, so keys are built per kind.
  const kindOf = new Map<string, { keys: string[]; ads: number[] }>()
  ads.forEach((ad, slot) => {
    const values = parts.map((part) => ad[part])
    const key = values.join('|')
    const kind = kindOf.get(key)
    if (kind === undefined) kindOf.set(key, { keys: keysOf(values), ads: [slot] })
    else kind.ads.push(slot)
  })
  const kinds = [...kindOf.values()]
  const sizes = new Map<string, number>()
  for (const kind of kinds)
    for (const key of kind.keys) sizes.set(key, (sizes.get(key) ?? 0) + kind.ads.length)
  const ownKey = (kind: { keys: string[] }) =>
    kind.keys.find((key) => sizes.get(key)! >= MIN_PEER_GROUP) ?? kind.keys.at(-1)!
  const peerGroups = new Map<string, PeerGroup>()
  for (const kind of kinds) peerGroups.set(ownKey(kind), { key: ownKey(kind), members: [], own: [] })
  const add = (to: number[], slots: readonly number[]) => {
    for (const slot of slots) to.push(slot)
  }
  for (const kind of kinds) {
    for (const key of kind.keys) {
      const peerGroup = peerGroups.get(key)
      if (peerGroup !== undefined) add(peerGroup.members, kind.ads)
    }
    add(peerGroups.get(ownKey(kind))!.own, kind.ads)
  }
  // Sorted, so that floating-point sums have a fixed order.
  for (const { members, own } of peerGroups.values())
    for (const slots of [members, own]) slots.sort((a, b) => a - b)
  return [...peerGroups.values()]
}
