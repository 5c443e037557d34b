/** Previews what would be sent to a destination now, with the same code that prepares and builds real requests. */
import type { ClearedConversion, ExportPreview, ExportTarget } from '../../../../connectors/connector.ts'
import * as shortvideo from '../../../../connectors/shortvideo/exports.ts'
import type { ProfileContext } from '../../../../context.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { loadExportPolicy } from '../../../facts/export-queue/policy.ts'
import { ConnectionUnusable } from '../../../sources/connections/refresh.ts'
import { withSession } from '../../../sources/connections/session.ts'
import { type DestinationRow, findDestination } from '../destinations/queries.ts'
import { propertyOf } from '../run/event-id.ts'
import { loadFacts } from '../run/facts.ts'
import { exportSettingsOf, targetIdOf, toExport } from '../run/rules.ts'
import { listConversionsToShow } from './queries.ts'

type Withheld = { conversion_id: string; reason: string }

export async function previewExportDestination(
  context: ProfileContext,
  id: string,
  query: { conversion_id?: string | undefined; limit: number },
): Promise<{ bodies: Record<string, unknown>[]; withheld: Withheld[] }> {
  const { db, profile, service } = context
  const destination = await findDestination(db, { profileId: profile.id, id })
  if (destination === undefined) throw new ApiError('not_found', 'No such export destination.')
  const rows = await listConversionsToShow(db, {
    profileId: profile.id,
    destinationId: id,
    conversionId: query.conversion_id,
    limit: query.limit,
  })
  const policy = await loadExportPolicy(db, profile.id)
  const facts = await loadFacts(db, profile.id, rows, {
    withLeads: destination.kind === 'social',
    properties: [propertyOf(destination.event_id_source) ?? []].flat(),
  })
  const now = service.clock.now()
  const setting = exportSettingsOf(destination, policy, now)
  const cleared: ClearedConversion[] = []
  const withheld: Withheld[] = []
  for (const row of rows) {
    const prepared = toExport(
      { ...row, eventIdSource: null },
      facts.get(row.conversionId)!,
      setting,
      undefined,
    )
    if (prepared.ok) cleared.push(prepared.conversion)
    else withheld.push({ conversion_id: row.conversionId, reason: prepared.reason })
  }
  if (cleared.length === 0) return { bodies: [], withheld }
  const target = { id: targetIdOf(policy, destination), testEventCode: destination.test_event_code }
  const { bodies, refused } = await buildBodies(context, destination, target, cleared, now)
  const notSent = refused.map(({ eventId, code }) => ({ conversion_id: eventId, reason: code ?? 'refused' }))
  return { bodies, withheld: [...withheld, ...notSent] }
}

async function buildBodies(
  { service }: ProfileContext,
  destination: DestinationRow,
  target: ExportTarget,
  conversions: ClearedConversion[],
  now: Date,
): Promise<ExportPreview> {
  if (destination.connection_id === null) return shortvideo.previewExport(target, conversions)
  const ref = { profileId: destination.profile_id, id: destination.connection_id }
  try {
    return await withSession(service, ref, null, async (session, { connector }) =>
      connector.exports!.preview(session, target, conversions, now),
    )
  } catch (error) {
    if (!(error instanceof ConnectionUnusable)) throw error
    throw new ApiError(
      'connection_not_ready',
      'The provider no longer accepts this connection; reconnect it.',
      {
        reconnect_required: true,
        cause: error,
      },
    )
  }
}
