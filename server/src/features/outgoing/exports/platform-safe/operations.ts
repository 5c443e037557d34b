import {
  type LiveAdSet,
  ProviderError,
  type Session,
  type SwappedAdSet,
} from '../../../../connectors/connector.ts'
import { type ConfiguredProvider, hasFacet } from '../../../../connectors/registry.ts'
import { isHealthcare, type ProfileContext } from '../../../../context.ts'
import { requireHealthcareDecider } from '../../../../platform/access/decisions.ts'
import { recordSetting } from '../../../../platform/audit/record.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { inTransaction } from '../../../../platform/db/database.ts'
import { saveAppliedSettings } from '../../../facts/ads/applied-settings.ts'
import { entityId } from '../../../facts/ads/entities.ts'
import { getConnectionRow, live } from '../../../sources/connections/operations.ts'
import { type ConnectionRow, findConnection } from '../../../sources/connections/queries.ts'
import {
  defaultSettings,
  findSettings,
  readPrivacyMode,
  type SettingsRow,
  saveSettings,
} from '../catalog/queries.ts'
import { mailDecision } from '../decisions/operations.ts'
import { getOnlySocialConnection, refuseUnusable } from '../destinations/operations.ts'
import { type DestinationView, listDestinations } from '../destinations/queries.ts'
import {
  cleanDatasetName,
  consentText,
  consentTextHash,
  consentVersion,
  type GivenConsent,
  isConsented,
} from './rules.ts'

type TargetBody = {
  target: 'clean_dataset' | 'existing'
  connection_id?: string | undefined
  confirm_live_ad_sets: boolean
  move_ad_sets: 'none' | 'duplicate_and_swap'
  consent?: GivenConsent | undefined
}

type CallPlatform = <T>(
  work: (session: Session, connector: ConfiguredProvider['connector']) => Promise<T>,
) => Promise<T>

export async function setPlatformSafeTarget(context: ProfileContext, body: TargetBody) {
  const { db, now, profile } = context
  const profileId = profile.id
  await requireHealthcareDecider(context, 'Choosing the dataset')
  const mode = await readPrivacyMode(db, { profileId })
  if (body.target === 'clean_dataset' && mode !== 'platform_safe')
    throw new ApiError('platform_safe_required', 'The profile is not in platform-safe mode.', {
      hint: 'Change the mode first: PUT /conversion-sync/catalog with privacy_mode platform_safe.',
    })
  if (body.move_ad_sets === 'duplicate_and_swap' && !isConsented(body.consent, now)) throw consentRequired()
  const destinations = (await listDestinations(db, { profileId })).filter((row) => row.kind === 'social')
  const connection = await chooseConnection(context, body, destinations)
  const callPlatform = createPlatformCaller(context, connection)
  const settings = (await findSettings(db, { profileId })) ?? defaultSettings(profileId, now)
  const existingId = destinations.find((row) => row.connection_id === connection.id)?.target_id ?? null
  const dataset =
    body.target === 'clean_dataset' ? await findOrCreateCleanDataset(callPlatform, settings) : null
  const datasetId = dataset?.id ?? existingId
  const previousId = body.target === 'clean_dataset' ? existingId : settings.clean_dataset_id
  const liveAdSets = await listLiveAdSets(callPlatform, previousId, body)
  const swapped = await swapAdSets(callPlatform, liveAdSets, datasetId, body)
  await saveTarget(context, settings, {
    ...body,
    cleanDatasetId: dataset?.id ?? settings.clean_dataset_id,
    swapped,
  })
  return {
    target: body.target,
    dataset_id: datasetId,
    created: dataset?.created ?? false,
    previous_dataset_id: previousId,
    live_ad_sets: liveAdSets.map(({ id, name, campaignId }) => ({ id, name, campaign_id: campaignId })),
    swapped: swapped.map(({ id, replacedBy }) => ({ id, replaced_by: replacedBy })),
  }
}

function consentRequired(): ApiError {
  return new ApiError(
    'consent_required',
    'Show the current consent text to a person, and send in `consent` who accepted it within the last 24 hours.',
    { consent: { version: consentVersion, text: consentText, text_hashes: [consentTextHash] } },
  )
}

/** The requested connection, else that of an enabled destination, else the only one. */
async function chooseConnection(
  context: ProfileContext,
  body: TargetBody,
  destinations: readonly DestinationView[],
): Promise<ConnectionRow> {
  const usedId = destinations.find((row) => row.enabled && row.connection_id !== null)?.connection_id
  const row =
    body.connection_id !== undefined
      ? await getConnectionRow(context, body.connection_id)
      : usedId
        ? await findConnection(context.db, { profileId: context.profile.id, id: usedId })
        : undefined
  const connection = row ?? (await getOnlySocialConnection(context))
  if (!hasFacet(connection.provider, 'datasets'))
    throw new ApiError('validation_error', 'a dataset needs a social_ads connection.', {
      field: 'connection_id',
    })
  refuseUnusable(connection)
  return connection
}

function createPlatformCaller(context: ProfileContext, connection: ConnectionRow): CallPlatform {
  return (work) =>
    live(context, connection, async (session, { connector }) => {
      try {
        return await work(session, connector)
      } catch (error) {
        throw toAudienceError(error)
      }
    })
}

/** Refuses if the platform does not have the capability. */
export function requireOffered<Capability>(capability: Capability | undefined): Capability {
  if (capability !== undefined) return capability
  throw new ApiError('not_implemented', 'This platform does not support this operation.')
}

/** Maps refusals of the platform to our error codes. */
export function toAudienceError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error
  if (error.reason === 'permission_missing')
    return new ApiError(
      'social_write_permission_missing',
      'The ad connection was granted read-only; reconnect it and accept the permission to manage ads.',
      { cause: error },
    )
  if (error.reason === 'terms_not_accepted')
    return new ApiError(
      'audience_tos_required',
      'The ad account has not accepted the platform’s terms for customer lists; the advertiser has to accept them there.',
      { cause: error },
    )
  return error
}

/** One per profile. A dataset created by an interrupted attempt is found by its name. */
async function findOrCreateCleanDataset(
  callPlatform: CallPlatform,
  settings: SettingsRow,
): Promise<{ id: string; created: boolean }> {
  if (settings.clean_dataset_id !== null) return { id: settings.clean_dataset_id, created: false }
  const name = cleanDatasetName(settings.profile_id)
  return callPlatform(async (session, connector) => {
    const datasets = requireOffered(connector.datasets)
    const existing = (await datasets.list(session)).find((dataset) => dataset.name === name)
    if (existing !== undefined) return { id: existing.id, created: false }
    return { id: (await datasets.create(session, name)).id, created: true }
  })
}

/** Ad sets on the clean dataset get no conversions once it is abandoned, so the user has to confirm that. */
async function listLiveAdSets(
  callPlatform: CallPlatform,
  datasetId: string | null,
  body: TargetBody,
): Promise<LiveAdSet[]> {
  if (datasetId === null) return []
  const needsConfirmation =
    body.target === 'existing' && !body.confirm_live_ad_sets && body.move_ad_sets === 'none'
  let adSets: LiveAdSet[]
  try {
    adSets = await callPlatform((session, connector) =>
      requireOffered(connector.datasets).listLiveAdSets(session, datasetId),
    )
  } catch (error) {
    if (!needsConfirmation && body.move_ad_sets === 'none') return []
    if (!needsConfirmation) throw error
    throw new ApiError(
      'clean_dataset_has_live_ad_sets',
      'The platform did not return which ad sets deliver on the clean dataset; try again, or confirm with confirm_live_ad_sets.',
      { cause: error },
    )
  }
  if (needsConfirmation && adSets.length > 0)
    throw new ApiError(
      'clean_dataset_has_live_ad_sets',
      `${adSets.length} ad sets deliver on the clean dataset. Move or pause them, or confirm with confirm_live_ad_sets.`,
    )
  return adSets
}

async function swapAdSets(
  callPlatform: CallPlatform,
  adSets: readonly LiveAdSet[],
  datasetId: string | null,
  body: TargetBody,
): Promise<SwappedAdSet[]> {
  if (body.move_ad_sets === 'none' || datasetId === null || adSets.length === 0) return []
  const ids = adSets.map((adSet) => adSet.id)
  return callPlatform((session, connector) =>
    requireOffered(connector.datasets).swapAdSets(session, ids, datasetId),
  )
}

async function saveTarget(
  context: ProfileContext,
  before: SettingsRow,
  change: TargetBody & { cleanDatasetId: string | null; swapped: readonly SwappedAdSet[] },
): Promise<void> {
  const { target, cleanDatasetId } = change
  await inTransaction(context.db, async (tx) => {
    await saveSettings(tx, {
      ...before,
      target,
      clean_dataset_id: cleanDatasetId,
      updated_at: context.now,
    })
    const paused = change.swapped.map(({ id }) => entityId(context.profile.id, 'ad_set', id))
    await saveAppliedSettings(tx, context.profile.id, paused, { status: 'PAUSED' })
    await recordSetting(tx, context, {
      action: 'conversion_sync.target_set',
      subject: context.profile.id,
      before: { target: before.target, clean_dataset_id: before.clean_dataset_id, swapped: [] },
      after: {
        target,
        clean_dataset_id: cleanDatasetId,
        swapped: change.swapped,
        ...(change.consent === undefined ? {} : { consent: change.consent }),
      },
    })
    if (isHealthcare(context.profile))
      await mailDecision(tx, context, {
        subject: `Conversions of ${context.profile.name} are sent to another dataset`,
        lines: [
          `Conversions of the healthcare profile ${context.profile.name} are now sent to ${target === 'existing' ? 'the dataset of each destination' : `the clean dataset ${cleanDatasetId}`}.`,
        ],
      })
  })
}
