/** What entering a stage of the CRM's pipelines means for this profile: nothing, until a person takes a suggestion or says otherwise. */
import type { Provider } from '../../../connectors/connector.ts'
import { suggestOutcome } from '../../../connectors/crmsuite/stages.ts'
import { offers } from '../../../connectors/registry.ts'
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
  if (!offers(provider, 'pipelines')) throw new ApiError('not_implemented', 'Only a CRM has pipeline stages.')
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

/** The past is read again, so that it means what the stages mean now. */
export async function saveStages(
  context: ProfileContext,
  provider: Provider,
  mappings: readonly { stage_id: string; outcome_type: string | null }[],
): Promise<Pipeline[]> {
  const known = new Set(
    (await listStages(context, provider)).flatMap(({ stages }) => stages.map(({ id }) => id)),
  )
  const strange = mappings.find((mapping) => !known.has(mapping.stage_id))
  if (strange !== undefined)
    throw new ApiError('validation_error', `the CRM has no stage ${strange.stage_id}.`, { field: 'mappings' })
  const row = await crmConnection(context, provider)
  const { profile } = context
  await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const of = { profileId: profile.id, connectionId: row.id }
    const before = Object.fromEntries(await loadStageMapping(tx, of))
    for (const mapping of mappings)
      await saveStageMapping(tx, { ...of, stageId: mapping.stage_id, outcomeType: mapping.outcome_type, now })
    await recordSetting(tx, context, {
      action: 'stage_mapping.changed',
      subject: row.id,
      before,
      after: Object.fromEntries(await loadStageMapping(tx, of)),
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
