/** What all entities of the level were credited with together: a conversion that several of them share counts once. */
import { readTogether } from '../../../platform/db/together.ts'
import { EVERY_PLATFORM } from '../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import { addCredit, type Credit, countOnce, dividing } from './definitions.ts'
import { creditedOnce } from './queries/credited-once.ts'
import type { Snapshot } from './snapshot.ts'

export async function creditedInAll({ tx, profileId, scope, credits }: Snapshot): Promise<Credit> {
  const { asOf, level, range } = scope
  const [rows, once] = await readTogether(
    credits(),
    dividing.has(scope.model)
      ? creditedOnce(tx, { profileId, asOf, levels: [level], range })
      : Promise.resolve(undefined),
  )
  const credit = addCredit(rows.filter((row) => row.entity_id !== NIL_ENTITY))
  if (once === undefined) return credit
  return countOnce(
    credit,
    once.filter((row) => row.platform === EVERY_PLATFORM),
  )
}
