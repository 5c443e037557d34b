/** Destinations of data exports. Owners and admins decide on them; changes are audited and mailed to the owners. */
import { isHealthcare, makerOf, type ProfileContext } from '../../../context.ts'
import { canDecide } from '../../../platform/access/decisions.ts'
import { requireLiveMaker } from '../../../platform/access/live-maker.ts'
import { mailOwners } from '../../../platform/access/owner-mail.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { urlRefusal } from '../../../platform/outbound/client.ts'
import { seal } from '../../../platform/secrets/seal.ts'
import type { NewDataDestination } from './contract.ts'
import * as queries from './queries.ts'
import { describeTarget, isDecision, nextRunAt } from './rules.ts'
import { queueRun } from './start-run.ts'
import { exportTables, SCHEMA_VERSION } from './tables.ts'
import { openTarget, secretCell } from './targets/open-target.ts'
import { addressOf } from './targets/s3.ts'
import { TargetError } from './targets/target.ts'

type Keys = { access_key_id: string; secret_access_key: string }

const noDestination = () => new ApiError('not_found', 'No such data export destination.')

export function listDataDestinations({ db, profile }: ProfileContext): Promise<queries.DestinationView[]> {
  return queries.listDestinations(db, { profileId: profile.id })
}

async function getView(tx: Tx, profileId: string, id: string): Promise<queries.DestinationView> {
  const [view] = await queries.listDestinations(tx, { profileId, id })
  if (view === undefined) throw noDestination()
  return view
}

/** Only an owner or admin may decide where all data is written, no API key and no app. */
async function requireOwnerOrAdmin(context: ProfileContext): Promise<void> {
  if (context.caller.kind !== 'user' || !(await canDecide(context)))
    throw new ApiError(
      'forbidden',
      'Only an owner or admin of the workspace may change data export destinations, signed in or with a user token that has workspaces:write; no API key may.',
      { reason: 'owner_decision_required' },
    )
}

export async function createDataDestination(
  context: ProfileContext,
  body: NewDataDestination,
): Promise<queries.DestinationView> {
  const { profile, now } = context
  await requireOwnerOrAdmin(context)
  refuseIdentifiers(context, body.include_identifiers)
  const id = uuidv7(now)
  const { target, secret } = readTarget(context, id, body)
  return inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    const list = () => queries.listDestinations(tx, { profileId: profile.id })
    await requireBelowLimit(tx, 'data_export_destinations', profile.id, async () => (await list()).length)
    if ((await list()).some((other) => isSameLocation(other.target, target)))
      throw new ApiError(
        'invalid_state',
        'Another destination already writes to this folder or bucket path.',
        {
          reason: 'place_in_use',
        },
      )
    const { name, tables, include_identifiers, schedule, enabled } = body
    const settings = { name, tables, include_identifiers, schedule, enabled }
    await queries.insertDestination(tx, {
      profile_id: profile.id,
      id,
      kind: body.kind,
      ...settings,
      target: JSON.stringify(target),
      secret,
      // The first run is due immediately.
      next_run_at: enabled && schedule !== 'on_demand' ? now : null,
      erasures_seen: null,
      written_state: null,
      failures: 0,
      next_try_at: null,
      ...makerOf(context.caller),
      created_at: now,
      updated_at: now,
    })
    await recordSetting(tx, context, {
      action: 'data_destination.created',
      subject: id,
      before: null,
      after: { kind: body.kind, ...settings, target },
    })
    await mailDecision(tx, context, { ...settings, target })
    return getView(tx, profile.id, id)
  })
}

function refuseIdentifiers({ profile }: ProfileContext, includes: boolean | undefined): void {
  if (includes === true && isHealthcare(profile))
    throw new ApiError('invalid_state', 'Data exports of healthcare profiles cannot include identifiers.', {
      reason: 'healthcare_profile',
    })
}

function readTarget(context: ProfileContext, id: string, body: NewDataDestination) {
  const { service, profile } = context
  if (body.kind === 'file') {
    if (service.config.DATA_EXPORT_DIR === undefined)
      throw new ApiError('invalid_state', 'This deployment has no folder for data exports.', {
        reason: 'no_export_folder',
        hint: 'The operator has to set DATA_EXPORT_DIR. You can use an S3-compatible store instead.',
      })
    return { target: body.target, secret: null }
  }
  const { access_key_id, secret_access_key, ...location } = body.target
  refuseEndpoint(context, location.endpoint)
  const target = { ...location, endpoint: new URL(location.endpoint).origin }
  if (!URL.canParse(addressOf(target, 'x')))
    throw new ApiError('validation_error', 'does not form a valid address with the bucket.', {
      field: 'target.endpoint',
      hint: 'Set `path_style` to true if the endpoint is an IP address.',
    })
  return { target, secret: sealKeys(service, profile.id, id, { access_key_id, secret_access_key }) }
}

function refuseEndpoint({ service }: ProfileContext, endpoint: string): void {
  const problem = urlRefusal(endpoint, service.config.WEBHOOK_ALLOW_CIDRS)
  if (problem !== undefined)
    throw new ApiError('validation_error', `${problem}.`, { field: 'target.endpoint' })
  const url = new URL(endpoint)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new ApiError('validation_error', 'must be only scheme and host; put the bucket into `bucket`.', {
      field: 'target.endpoint',
    })
}

function sealKeys(service: ProfileContext['service'], profileId: string, id: string, keys: Keys): Buffer {
  const text = JSON.stringify({ accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key })
  return seal(service.keyring, secretCell(profileId, id), text)
}

function isSameLocation(a: queries.DestinationTarget, b: queries.DestinationTarget): boolean {
  if ('folder' in a || 'folder' in b) return 'folder' in a && 'folder' in b && a.folder === b.folder
  return a.endpoint === b.endpoint && a.bucket === b.bucket && a.prefix === b.prefix
}

type MailedSettings = Pick<
  queries.DestinationRow,
  'name' | 'target' | 'include_identifiers' | 'enabled' | 'tables'
>

async function mailDecision(
  tx: Tx,
  { profile, caller, service }: ProfileContext,
  row: MailedSettings,
): Promise<void> {
  if (!row.enabled) return
  const tables = row.tables.length === 0 ? 'All tables' : `The tables ${row.tables.join(', ')}`
  await mailOwners(tx, {
    workspaceId: profile.workspaceId,
    actor: caller,
    subject: `Data of ${profile.name} is written to ${row.name}`,
    lines: [
      `${tables} of the profile ${profile.name} are written to ${describeTarget(row.target)}.`,
      row.include_identifiers
        ? 'The files contain hashes of email addresses and phone numbers.'
        : 'The files contain no email addresses, phone numbers or names.',
      `View or change this destination: ${service.config.BASE_URL}/p/${profile.id}/data-exports`,
    ],
  })
}

type Changes = {
  name?: string | undefined
  tables?: queries.DestinationRow['tables'] | undefined
  include_identifiers?: boolean | undefined
  schedule?: string | undefined
  enabled?: boolean | undefined
  keys?: Keys | undefined
}

export async function updateDataDestination(
  context: ProfileContext,
  id: string,
  changes: Changes,
): Promise<queries.DestinationView> {
  const { service, profile, now } = context
  return inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    const before = await queries.findDestination(tx, { profileId: profile.id, id })
    if (before === undefined) throw noDestination()
    if (isDecision(changes)) await requireOwnerOrAdmin(context)
    refuseIdentifiers(context, changes.include_identifiers)
    const { keys, ...settings } = changes
    if (keys !== undefined && before.kind !== 's3')
      throw new ApiError('validation_error', 'a folder has no access keys.', { field: 'keys' })
    const fields = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
    const after = { ...before, ...fields } as queries.DestinationRow
    const isRescheduled = after.schedule !== before.schedule || after.enabled !== before.enabled
    await queries.updateDestination(tx, {
      profileId: profile.id,
      id,
      fields: {
        ...fields,
        ...(keys === undefined ? {} : { secret: sealKeys(service, profile.id, id, keys) }),
        ...(isRescheduled ? { next_run_at: nextRunAt(after, now) } : {}),
        ...(keys !== undefined || changes.enabled === true ? makerOf(context.caller) : {}),
        failures: 0,
        next_try_at: null,
        updated_at: now,
      },
    })
    await recordSetting(tx, context, {
      action: 'data_destination.changed',
      subject: id,
      before: { ...toAuditValues(before), keys: 'unchanged' },
      after: { ...toAuditValues(after), keys: keys === undefined ? 'unchanged' : 'replaced' },
    })
    if (isDecision(changes)) await mailDecision(tx, context, after)
    return getView(tx, profile.id, id)
  })
}

function toAuditValues({ name, tables, include_identifiers, schedule, enabled }: queries.DestinationRow) {
  return { name, tables, include_identifiers, schedule, enabled }
}

export async function deleteDataDestination(context: ProfileContext, id: string): Promise<void> {
  const { profile } = context
  await inTransaction(context.db, async (tx) => {
    const row = await queries.findDestination(tx, { profileId: profile.id, id })
    if (row === undefined) throw noDestination()
    if (isHealthcare(profile)) await requireOwnerOrAdmin(context)
    const open = await queries.findOpenRun(tx, { profileId: profile.id, destinationId: id })
    if (open?.status === 'running')
      throw new ApiError(
        'invalid_state',
        'A run is writing to this destination. Try again when it has finished.',
        {
          reason: 'run_under_way',
        },
      )
    await queries.deleteDestination(tx, { profileId: profile.id, id })
    await recordSetting(tx, context, {
      action: 'data_destination.removed',
      subject: id,
      before: { ...toAuditValues(row), target: row.target },
      after: null,
    })
  })
}

const PROBE = '.whence-probe'

export async function testDataDestination({ service, db, profile }: ProfileContext, id: string) {
  const row = await queries.findDestination(db, { profileId: profile.id, id })
  if (row === undefined) throw noDestination()
  try {
    const target = openTarget(service, row)
    await target.put(PROBE, new TextEncoder().encode('Written and removed to test this destination.\n'))
    await target.remove(PROBE)
    return { ok: true, error: null }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { ok: false, error: error.message }
  }
}

export async function startDataRun(
  context: ProfileContext,
  body: { destination_id: string; full: boolean },
): Promise<queries.RunRow> {
  const { profile, now } = context
  return inTransaction(context.db, async (tx) => {
    const row = await queries.findDestination(tx, { profileId: profile.id, id: body.destination_id })
    if (row === undefined) throw noDestination()
    if (!row.enabled)
      throw new ApiError('invalid_state', 'The destination is disabled.', { reason: 'disabled' })
    const destination = { profileId: profile.id, destinationId: row.id }
    const since = new Date(now.getTime() - DAY_MS)
    if (body.full && (await queries.hasFullRunSince(tx, { ...destination, since })))
      throw new ApiError(
        'invalid_state',
        'Only one full run per day; the last one was less than a day ago.',
        {
          reason: 'full_run_within_a_day',
          hint: 'Start a run without `full`: it writes the days that changed.',
        },
      )
    return queueRun(tx, { ...destination, isFull: body.full, now })
  })
}

const MAX_RUNS_LISTED = 50

export function listDataRuns(
  { db, profile }: ProfileContext,
  destinationId: string | undefined,
): Promise<queries.RunRow[]> {
  return queries.listRuns(db, { profileId: profile.id, destinationId, limit: MAX_RUNS_LISTED })
}

export async function getDataRun({ db, profile }: ProfileContext, id: string): Promise<queries.RunRow> {
  const [row] = await queries.listRuns(db, { profileId: profile.id, id, limit: 1 })
  if (row === undefined) throw new ApiError('not_found', 'No such data export run.')
  return row
}

export function getDataSchema() {
  return {
    version: SCHEMA_VERSION,
    tables: exportTables.map(({ name, about, byDay, columns }) => ({
      name,
      about,
      by_day: byDay,
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type,
        nullable: column.nullable === true,
        about: column.about,
      })),
    })),
  }
}
