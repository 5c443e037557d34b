import type { ProfileContext, Service } from '../../../../context.ts'
import { authorizationOf, isHealthcare, makerOf } from '../../../../context.ts'
import {
  AUTHORIZATION_ENDED,
  findCreatingApps,
  requireOwnObject,
} from '../../../../platform/access/created-by-apps.ts'
import { canDecide, requireHealthcareDecider } from '../../../../platform/access/decisions.ts'
import { requireLiveMaker } from '../../../../platform/access/live-maker.ts'
import { clearShortCache } from '../../../../platform/access/short-cache.ts'
import { requireBelowLimit } from '../../../../platform/access/tenant-limits.ts'
import { recordSetting } from '../../../../platform/audit/record.ts'
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { migrationActiveFrom } from '../../../../platform/db/migrated-from.ts'
import { enqueue } from '../../../../platform/jobs/enqueue.ts'
import { seal } from '../../../../platform/secrets/seal.ts'
import { sendExports } from '../../../facts/export-queue/send-job.ts'
import { getConnectionRow } from '../../../sources/connections/operations.ts'
import { type ConnectionRow, listConnectionRows } from '../../../sources/connections/queries.ts'
import { refuseUnusableSource } from '../data-sources/operations.ts'
import { mailDecision } from '../decisions/operations.ts'
import { extendsSharing } from '../decisions/rules.ts'
import { freezeEventIdSource } from '../run/ledger.ts'
import type { EventMap, NewExportDestination } from './contract.ts'
import {
  countPixelConversions,
  type DestinationRow,
  type DestinationView,
  findDestination,
  insertDestination,
  listDestinations,
  listGoalKeys,
  saveDestination,
} from './queries.ts'
import { defaultEventMap, destinationKeyOf, eventMapProblem, providerOf } from './rules.ts'

export type ShownDestination = DestinationView & {
  created_by_app: { id: string; name: string } | null
  pixel_conversions: number
}

const PIXEL_DAYS = 7

export async function listExportDestinations(context: ProfileContext): Promise<ShownDestination[]> {
  return loadShownDestinations(context, context.db)
}

async function loadShownDestinations(
  { profile, now }: ProfileContext,
  db: ProfileContext['db'],
  id?: string,
): Promise<ShownDestination[]> {
  const profileId = profile.id
  const apps = await findCreatingApps(db, { profileId })
  const rows = await listDestinations(db, { profileId, ...(id === undefined ? {} : { id }) })
  const since = new Date(now.getTime() - PIXEL_DAYS * DAY_MS)
  const pixels = await countPixelConversions(db, { profileId, since })
  return rows.map((row) => {
    const app = apps.get(row.authorization_id ?? '')
    return {
      ...row,
      created_by_app: app === undefined ? null : { id: app.id, name: app.name },
      pixel_conversions: pixels.get(row.id) ?? 0,
    }
  })
}

async function getView(context: ProfileContext, tx: Tx, id: string): Promise<ShownDestination> {
  const [view] = await loadShownDestinations(context, tx, id)
  if (view === undefined) throw new ApiError('not_found', 'No such export destination.')
  return view
}

export function tokenCell(profileId: string, id: string) {
  return { table: 'export_destinations', row: id, column: 'access_token', profileId }
}

export async function createExportDestination(
  context: ProfileContext,
  body: NewExportDestination,
): Promise<ShownDestination> {
  const { service, profile, now } = context
  await requireHealthcareDecider(context, 'Creating a destination')
  const isOwnerDecision = await canDecide(context)
  await refuseNewKind(service, body.kind, now)
  const connection = await getConnection(context, body)
  const dataSource = body.kind === 'social' ? (body.data_source ?? null) : null
  if (dataSource !== null) await refuseUnusableSource(context, dataSource)
  const goalKeys = await listGoalKeys(context.db, { profileId: profile.id })
  const eventMap = body.event_map ?? defaultEventMap(body.kind, goalKeys)
  refuseEventMap(eventMap, goalKeys)
  const id = uuidv7(now)
  const targetId = targetOf(body)
  const row: DestinationRow = {
    profile_id: profile.id,
    id,
    kind: body.kind,
    connection_id: connection?.id ?? null,
    target_id: targetId,
    destination_key: destinationKeyOf(body.kind, connection?.id ?? null, targetId),
    display_name: body.display_name ?? `${body.kind} ${targetId}`,
    enabled: body.enabled,
    enabled_at: now,
    data_source: dataSource,
    event_map: eventMap,
    event_id_source: body.event_id_source,
    test_event_code: ('test_event_code' in body ? body.test_event_code : null) ?? null,
    access_token:
      body.kind === 'shortvideo' ? seal(service.keyring, tokenCell(profile.id, id), body.access_token) : null,
    status_reason: null,
    retry_at: null,
    retries: 0,
    is_owner_decision: isOwnerDecision,
    authorization_id: authorizationOf(context.caller),
    ...makerOf(context.caller),
    created_at: now,
    updated_at: now,
  }
  const created = await inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    await requireBelowLimit(
      tx,
      'export_destinations',
      profile.id,
      async () => (await listDestinations(tx, { profileId: profile.id })).length,
    )
    const conflictingId = await insertDestination(tx, row)
    if (conflictingId !== undefined)
      throw new ApiError(
        'destination_conflict',
        'A destination with this kind, connection and target already exists.',
        {
          conflicting_destination_id: conflictingId,
          hint: 'Change it with PATCH /exports/destinations/{id}.',
        },
      )
    await recordSetting(tx, context, {
      action: 'export_destination.created',
      subject: id,
      before: null,
      after: toAuditValues(row),
    })
    await mailDestination(tx, context, row)
    return getView(context, tx, id)
  })
  // The collector's credential cache contains which events are exported.
  clearShortCache(service)
  return created
}

async function mailDestination(tx: Tx, context: ProfileContext, row: DestinationRow): Promise<void> {
  const { profile } = context
  if (!isHealthcare(profile) || !row.enabled) return
  await mailDecision(tx, context, {
    subject: `Conversions of ${profile.name} are sent to ${row.display_name}`,
    lines: [
      `Conversions of the healthcare profile ${profile.name} are sent to ${row.display_name} (${row.kind} ${row.target_id}).`,
      `Goals: ${row.event_map.map((entry) => entry.conversion_key).join(', ') || 'none yet'}.`,
    ],
  })
}

/** During a rolling update, processes of the previous release cannot handle a new kind. */
const newKinds: Partial<Record<NewExportDestination['kind'], string>> = {
  microsoft: '1190_microsoft_destinations.sql',
  linkedin: '1195_linkedin_destinations.sql',
}

async function refuseNewKind(service: Service, kind: NewExportDestination['kind'], now: Date): Promise<void> {
  const migration = newKinds[kind]
  if (migration === undefined) return
  const from = await migrationActiveFrom(service.db, migration)
  if (now < from)
    throw new ApiError(
      'invalid_state',
      `The service is being upgraded. Destinations of this kind can be created from ${from.toISOString()} on.`,
    )
}

function targetOf(body: NewExportDestination): string {
  switch (body.kind) {
    case 'social':
      return body.social_pixel_id
    case 'engine':
      return body.engine_conversion_action
    case 'shortvideo':
      return body.shortvideo_pixel_code
    case 'microsoft':
      return body.microsoft_uet_tag_id
    case 'linkedin':
      return body.linkedin_conversion_id.replace(/^\D+/, '')
  }
}

function refuseEventMap(map: EventMap, goalKeys: readonly string[]): void {
  const problem = eventMapProblem(map, goalKeys)
  if (problem !== null) throw new ApiError('validation_error', problem, { field: 'event_map' })
}

/** Values of a destination for the audit log, without its token. */
function toAuditValues(row: DestinationRow) {
  const { kind, connection_id, target_id, display_name, enabled, data_source, event_map } = row
  const { event_id_source, test_event_code, is_owner_decision } = row
  return {
    kind,
    connection_id,
    target_id,
    display_name,
    enabled,
    data_source,
    event_map,
    event_id_source,
    test_event_code,
    is_owner_decision,
  }
}

async function getConnection(
  context: ProfileContext,
  body: NewExportDestination,
): Promise<ConnectionRow | null> {
  const provider = providerOf[body.kind]
  if (provider === null || body.kind === 'shortvideo') return null
  const row =
    body.connection_id === undefined
      ? await getOnlySocialConnection(context)
      : await getConnectionRow(context, body.connection_id)
  if (row.provider !== provider)
    throw new ApiError(
      'validation_error',
      `is a ${row.provider} connection; a ${body.kind} destination needs a ${provider} connection.`,
      { field: 'connection_id' },
    )
  refuseUnusable(row)
  return row
}

export function refuseUnusable(row: ConnectionRow): void {
  if (row.token === null || ['revoked', 'reconnect_required'].includes(row.status))
    throw new ApiError(
      'connection_not_ready',
      'The provider no longer accepts this connection; reconnect it.',
      {
        reconnect_required: true,
      },
    )
}

/** The profile's only usable ad account of the social platform. */
export async function getOnlySocialConnection(context: ProfileContext): Promise<ConnectionRow> {
  const { db, profile, caller } = context
  const appId = caller.kind === 'key' ? caller.appId : null
  const rows = await listConnectionRows(db, { profileId: profile.id, appId, provider: 'social_ads' })
  const usable = rows.filter((row) => row.status === 'connected' && row.token !== null)
  if (usable.length === 1) return usable[0]!
  throw new ApiError(
    'social_connection_required',
    usable.length === 0
      ? 'No usable social_ads connection: connect an ad account first.'
      : 'Several social_ads accounts are connected: choose one with connection_id.',
  )
}

/** Platforms without test events; they would count one. */
const hasNoTestEvents = (kind: DestinationRow['kind']): boolean => kind === 'microsoft' || kind === 'linkedin'

type Changes = {
  display_name?: string | undefined
  enabled?: boolean | undefined
  event_map?: EventMap | undefined
  event_id_source?: string | undefined
  test_event_code?: string | null | undefined
  access_token?: string | undefined
}

export async function updateExportDestination(
  context: ProfileContext,
  id: string,
  changes: Changes,
): Promise<ShownDestination> {
  const { service, profile, now } = context
  const updated = await inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    const before = await findDestination(tx, { profileId: profile.id, id })
    if (before === undefined) throw new ApiError('not_found', 'No such export destination.')
    const isExtension = extendsSharing(changes)
    if (isExtension) await requireHealthcareDecider(context, 'Changing a destination')
    const { access_token: token, ...fields } = changes
    if (token !== undefined || (fields.enabled === true && !before.enabled))
      await requireOwnObject(tx, context, before.authorization_id)
    if (fields.event_map !== undefined)
      refuseEventMap(fields.event_map, await listGoalKeys(tx, { profileId: profile.id }))
    if (token !== undefined && before.kind !== 'shortvideo')
      throw new ApiError(
        'validation_error',
        `a ${before.kind} destination has no access token; it uses its connection.`,
        {
          field: 'access_token',
        },
      )
    if (fields.test_event_code != null && hasNoTestEvents(before.kind))
      throw new ApiError('validation_error', 'this platform has no test events.', {
        field: 'test_event_code',
      })
    const isEnabledNow = fields.enabled === true && !before.enabled
    const after: DestinationRow = {
      ...before,
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(isEnabledNow ? { enabled_at: now } : {}),
      // The user has acted, so the next run tries again.
      ...(isEnabledNow || token !== undefined ? { status_reason: null, retry_at: null, retries: 0 } : {}),
      // Who switches it on or replaces its token takes it over: it ends with that person or key.
      ...(isEnabledNow || token !== undefined ? makerOf(context.caller) : {}),
      // If the authorization of the app that created it has ended, the destination now belongs to the caller.
      ...(isEnabledNow && before.status_reason === AUTHORIZATION_ENDED
        ? { authorization_id: authorizationOf(context.caller) }
        : {}),
      ...(isExtension ? { is_owner_decision: await canDecide(context) } : {}),
      ...(token === undefined
        ? {}
        : { access_token: seal(service.keyring, tokenCell(profile.id, id), token) }),
      updated_at: now,
    }
    await saveDestination(tx, after)
    if (after.event_id_source !== before.event_id_source)
      await freezeEventIdSource(tx, {
        profileId: profile.id,
        destinationId: id,
        source: before.event_id_source,
      })
    await recordSetting(tx, context, {
      action: 'export_destination.changed',
      subject: id,
      before: { ...toAuditValues(before), access_token: 'unchanged' },
      after: { ...toAuditValues(after), access_token: token === undefined ? 'unchanged' : 'replaced' },
    })
    if (isExtension) await mailDestination(tx, context, after)
    if (after.enabled)
      await enqueue(tx, sendExports, { destination_id: id }, { profileId: profile.id, dedupeKey: id })
    return getView(context, tx, id)
  })
  clearShortCache(service)
  return updated
}
