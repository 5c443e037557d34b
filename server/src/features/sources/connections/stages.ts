/** The outcome that each stage of a CRM pipeline is mapped to in this profile: none, until a person accepts a suggestion or chooses one. */
import type { Provider } from '../../../connectors/connector.ts'
import { suggestOutcome } from '../../../connectors/crmsuite/stages.ts'
import { hasFacet } from '../../../connectors/registry.ts'
import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { getProviderConnection, live } from './operations.ts'
import type { ConnectionRow } from './queries.ts'
import { HISTORY_DAYS } from './rules.ts'
import { loadStageMapping, saveStageMapping } from './stage-mapping.ts'
import { queueSync } from './sync-state.ts'

export type Stage = {
  id: string
  name: string
  position: number
  suggested_outcome: string | null
  current_outcome: string | null
}
export type Pipeline = { id: string; name: string; stages: Stage[] }

async function crmConnection(context: ProfileContext, provider: Provider): Promise<ConnectionRow> {
  if (!hasFacet(provider, 'pipelines'))
    throw new ApiError('not_implemented', 'Only a CRM has pipeline stages.')
  return getProviderConnection(context, provider)
}

export async function listStages(context: ProfileContext, provider: Provider): Promise<Pipeline[]> {
  const row = await crmConnection(context, provider)
  const pipelines = await live(context, row, (session, { connector }) => connector.pipelines!.list(session))
  const mapping = await loadStageMapping(context.db, {
    profileId: context.profile.id,
    connectionId: row.id,
  })
  return pipelines.map((pipeline) => ({
    id: pipeline.id,
    name: pipeline.name,
    stages: pipeline.stages.map((stage) => {
      return {
        ...stage,
        suggested_outcome: suggestOutcome(stage.name),
        current_outcome: mapping.get(stage.id) ?? null,
      }
    }),
  }))
}

/** Past records are synced again, so that the new mapping applies to them. */
export async function saveStages(
  context: ProfileContext,
  provider: Provider,
  mappings: readonly { stage_id: string; outcome_type: string | null }[],
): Promise<Pipeline[]> {
  const stageIds = new Set(
    (await listStages(context, provider)).flatMap(({ stages }) => stages.map(({ id }) => id)),
  )
  const unknown = mappings.find((mapping) => !stageIds.has(mapping.stage_id))
  if (unknown !== undefined)
    throw new ApiError('validation_error', `the CRM has no stage ${unknown.stage_id}.`, { field: 'mappings' })
  const row = await crmConnection(context, provider)
  const { profile } = context
  await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const ref = { profileId: profile.id, connectionId: row.id }
    const before = Object.fromEntries(await loadStageMapping(tx, ref))
    for (const mapping of mappings)
      await saveStageMapping(tx, {
        ...ref,
        stageId: mapping.stage_id,
        outcomeType: mapping.outcome_type,
        now,
      })
    await recordSetting(tx, context, {
      action: 'stage_mapping.changed',
      subject: row.id,
      before,
      after: Object.fromEntries(await loadStageMapping(tx, ref)),
    })
    const sinceDay = addDays(localDay(now, profile.timezone), -HISTORY_DAYS)
    if (mappings.length > 0)
      await queueSync(tx, { profileId: profile.id, connectionId: row.id, sinceDay, now })
  })
  return listStages(context, provider)
}

export async function prefillOutcomes(context: ProfileContext) {
  const pipelines = await listStages(context, 'crmsuite')
  return {
    mappings: pipelines.flatMap((pipeline) =>
      pipeline.stages.map((stage) => ({
        pipeline_id: pipeline.id,
        pipeline_name: pipeline.name,
        stage_id: stage.id,
        stage_name: stage.name,
        outcome_type: stage.suggested_outcome,
      })),
    ),
  }
}
