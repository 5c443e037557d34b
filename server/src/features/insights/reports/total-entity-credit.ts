/** Total credit of all entities of the level: a conversion shared by several of them counts once. */
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { EVERY_PLATFORM } from '../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import {
  addCredit,
  type Credit,
  fractionalModels,
  withDistinctCounts,
} from '../../figures/definitions/definitions.ts'
import { distinctCounts } from '../../figures/rollups/distinct-counts.ts'
import type { Snapshot } from '../../figures/snapshot/snapshot.ts'

export async function totalEntityCredit({ tx, profileId, scope, credits }: Snapshot): Promise<Credit> {
  const { asOf, level, range } = scope
  const [rows, distinct] = await pipelineReads(
    credits(),
    fractionalModels.has(scope.model)
      ? distinctCounts(tx, { profileId, asOf, levels: [level], range })
      : Promise.resolve(undefined),
  )
  const credit = addCredit(rows.filter((row) => row.entity_id !== NIL_ENTITY))
  if (distinct === undefined) return credit
  return withDistinctCounts(
    credit,
    distinct.filter((row) => row.platform === EVERY_PLATFORM),
  )
}
