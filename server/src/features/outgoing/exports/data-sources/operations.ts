import type { ProfileContext } from '../../../../context.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { loadExportPolicy } from '../../../facts/export-queue/policy.ts'
import { type DataSource, dataSources } from '../../../facts/export-queue/rules.ts'
import { isCrm } from '../../../facts/identity/crms.ts'
import { findSettings } from '../catalog/queries.ts'
import { type DestinationView, listDestinations } from '../destinations/queries.ts'
import type { ConversionDataSource } from './contract.ts'
import { hasTrackingKey, listSourceConnections } from './queries.ts'
import { type SourceConnection, type SourceReason, sourceReason } from './rules.ts'

const refusals: Record<SourceReason, ApiError['code']> = {
  chatapp_not_connected: 'chatapp_connection_required',
  photoapp_not_connected: 'photoapp_connection_required',
  photoapp_facebook_login_required: 'photoapp_facebook_login_required',
}
const messages: Record<SourceReason, string> = {
  chatapp_not_connected: 'Connect the chat app’s business account first.',
  photoapp_not_connected: 'Connect the photo app’s professional account first.',
  photoapp_facebook_login_required: 'Connect the photo app again through the page that it is linked to.',
}

/** Refuses a data source whose conversions cannot be sent. */
export async function refuseUnusableSource(context: ProfileContext, source: DataSource): Promise<void> {
  const connections = await listSourceConnections(context.db, { profileId: context.profile.id })
  const reason = sourceReason(source, connections)
  if (reason !== null) throw new ApiError(refusals[reason], messages[reason])
}

export async function listConversionDataSources(context: ProfileContext): Promise<ConversionDataSource[]> {
  const { db } = context
  const profileId = context.profile.id
  const [policy, settings, destinations, connections, isTracked] = [
    await loadExportPolicy(db, profileId),
    await findSettings(db, { profileId }),
    await listDestinations(db, { profileId }),
    await listSourceConnections(db, { profileId }),
    await hasTrackingKey(db, { profileId }),
  ]
  const enabled = destinations.filter((row) => row.enabled)
  const hasCrm = connections.some((row) => isCrm(row.provider) && row.status === 'connected')
  const sources = dataSources.map((kind): ConversionDataSource => {
    const reason = sourceReason(kind, connections)
    const destination = enabled.find((row) => row.data_source === null || row.data_source === kind)
    const available = kind === 'website' ? isTracked : kind === 'crm' ? hasCrm : reason === null
    return {
      kind,
      available,
      dataset_id:
        accountDataset(kind, connections) ??
        (destination === undefined ? null : datasetOf(destination, policy.cleanDatasetId)),
      is_target: available && destination !== undefined,
      reason_code: reason,
    }
  })
  const clean: ConversionDataSource = {
    kind: 'clean_dataset',
    available: policy.privacyMode === 'platform_safe',
    dataset_id: settings?.clean_dataset_id ?? null,
    is_target: policy.cleanDatasetId !== null,
    reason_code: null,
  }
  return [...sources, clean]
}

/** Conversions of a messaging account are sent to its own dataset. */
const accountDataset = (kind: string, connections: readonly SourceConnection[]): string | null =>
  connections.find((row) => row.provider === kind && row.status === 'connected' && row.dataset_id !== null)
    ?.dataset_id ?? null

function datasetOf(row: DestinationView, cleanDatasetId: string | null): string {
  return row.kind === 'social' && cleanDatasetId !== null ? cleanDatasetId : row.target_id
}
