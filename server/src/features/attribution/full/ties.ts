/** Touches of one instant are ordered by when they were recorded; such customers are few and read again in order. */
import type { Tx } from '../../../db/database.ts'
import { loadMembers } from '../../identity/members.ts'
import { loadTouches } from '../journeys.ts'
import type { NamedAd } from '../paths.ts'
import type { ChunkFiller } from './credit.ts'
import type { Profile } from './load.ts'

export async function orderTies(
  read: { tx: Tx; profileId: string },
  { people, named }: Profile,
  filler: ChunkFiller,
): Promise<void> {
  const numbers = numbersOf(named)
  const nextOf = new Map(filler.tied.map(({ customer, begin }) => [people.textAt(customer), begin]))
  const members = await loadMembers(read.tx, read.profileId, [...nextOf.keys()])
  for (const row of await loadTouches(read.tx, read.profileId, members, new Set(nextOf.keys()))) {
    const at = nextOf.get(row.customer_id)!
    nextOf.set(row.customer_id, at + 1)
    filler.replaceTouch(at, numbers.get(keyOf(row))!, row.is_direct)
  }
}

const numberings = new WeakMap<readonly NamedAd[], Map<string, number>>()

function numbersOf(named: readonly NamedAd[]): Map<string, number> {
  let numbers = numberings.get(named)
  if (numbers === undefined) {
    numbers = new Map(named.map((ad, number) => [keyOf(ad), number]))
    numberings.set(named, numbers)
  }
  return numbers
}

function keyOf(ad: NamedAd): string {
  return JSON.stringify([ad.platform, ad.campaign_external_id, ad.ad_set_external_id, ad.ad_external_id])
}
