/** What all entities of the level were credited with together: a conversion that several of them share counts once. */
import { EVERY_PLATFORM } from '../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import { addCredit, type Credit, countOnce, dividing } from './definitions.ts'
import { creditedOnce } from './queries/credited-once.ts'
import type { Snapshot } from './snapshot.ts'

export async function creditedInAll({ tx, profileId, scope, credits }: Snapshot): Promise<Credit> {
  const credit = addCredit((await credits()).filter((row) => row.entity_id !== NIL_ENTITY))
  if (!dividing.has(scope.model)) return credit
  const once = await creditedOnce(tx, {
    profileId,
    asOf: scope.asOf,
    levels: [scope.level],
    range: scope.range,
  })
  return countOnce(
    credit,
    once.filter((row) => row.platform === EVERY_PLATFORM),
  )
}
