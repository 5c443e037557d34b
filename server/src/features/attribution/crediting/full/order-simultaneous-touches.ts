/** Orders simultaneous touches by the time they were recorded. Few customers have any; their touches are read again. */
import type { Tx } from '../../../../platform/db/database.ts'
import { loadMembers } from '../../../facts/identity/members.ts'
import { loadTouches } from '../incremental/journeys.ts'
import { sourceIdOf, type TouchSource } from '../touch-sources.ts'
import type { Profile } from './load.ts'

/** The customers with simultaneous touches in a chunk. */
type Filler = {
  readonly tied: readonly { customer: number; begin: number }[]
  replaceTouch(at: number, source: number): void
}

export async function orderTies(
  read: { tx: Tx; profileId: string },
  { people, sources }: Profile,
  filler: Filler,
): Promise<void> {
  const numbers = numbersOf(sources)
  const nextOf = new Map(filler.tied.map(({ customer, begin }) => [people.textAt(customer), begin]))
  const members = await loadMembers(read.tx, read.profileId, [...nextOf.keys()])
  for (const row of await loadTouches(read.tx, read.profileId, members, new Set(nextOf.keys()))) {
    const at = nextOf.get(row.customer_id)!
    nextOf.set(row.customer_id, at + 1)
    filler.replaceTouch(at, numbers.get(sourceIdOf(row))!)
  }
}

const numberings = new WeakMap<readonly TouchSource[], Map<string, number>>()

function numbersOf(sources: readonly TouchSource[]): Map<string, number> {
  let numbers = numberings.get(sources)
  if (numbers === undefined) {
    numbers = new Map(sources.map((source, number) => [sourceIdOf(source), number]))
    numberings.set(sources, numbers)
  }
  return numbers
}
