/**
 * Requests for one customer's data: who asked and by which law, how the person was identified, and the file that a job
 * builds. Partner apps use their API key, members of the workspace its routes.
 */
import { Readable } from 'node:stream'
import type { ProfileContext, RequestContext, WorkspaceContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { listMailedOwners } from '../../../platform/access/user-queries.ts'
import { logPersonAccess } from '../../../platform/audit/operations.ts'
import { listProfileIds } from '../../../platform/audit/queries.ts'
import { type Actor, actorOf, recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toPage } from '../../../platform/contract/page.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { loadContacts } from '../../facts/identity/contact.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { loadIdentityScope } from '../../facts/identity/scope.ts'
import { identifierOf, type Selector } from '../erasures/rules.ts'
import { deleteParts } from '../person-data/steps.ts'
import type { IdentityAnswer } from './contract.ts'
import { buildExport, mailCode, notifyOwners } from './jobs.ts'
import { openPart } from './parts.ts'
import * as queries from './queries.ts'
import * as rules from './rules.ts'

export type RequestBody = Selector & {
  law: rules.Law
  requested_on: string
  identity_check: IdentityAnswer
}
type Services = Pick<RequestContext, 'db' | 'service' | 'now'> & Pick<Actor, 'caller' | 'requestId'>
type Place = { profileId: string; workspaceId: string }

export async function requestCustomerDataExport(context: ProfileContext, body: RequestBody) {
  requireApp(context)
  const { id: profileId, workspaceId } = context.profile
  return requestExport(context, { profileId, workspaceId }, body)
}

export async function requestWorkspaceCustomerDataExport(
  context: WorkspaceContext,
  { profile_id: profileId, ...body }: RequestBody & { profile_id: string },
) {
  requirePersonScope(context)
  const profile = await findProfileRef(context.db, { profileId })
  if (profile?.workspaceId !== context.workspaceId)
    throw new ApiError('not_found', 'No such profile in this workspace.')
  return requestExport(context, { profileId, workspaceId: context.workspaceId }, body)
}

/** Only a partner app's API key may call these routes; people use the workspace's routes. */
function requireApp({ caller }: ProfileContext): void {
  if (caller.kind === 'key' && caller.appId !== null) return
  throw new ApiError('api_key_required', "This route requires a partner app's API key.", {
    hint: 'Members of the workspace use /workspaces/{workspaceId}/customer-data-exports.',
  })
}

/** A user token needs the scope to read people in addition to the role. */
function requirePersonScope({ caller }: WorkspaceContext): void {
  if (caller.via === 'session' || caller.scopes.includes('mcp:read_pii')) return
  throw new ApiError('insufficient_scope', 'The token needs the scope mcp:read_pii for this route.')
}

async function requestExport(context: Services, place: Place, body: RequestBody) {
  const { db, service, now } = context
  const { profileId, workspaceId } = place
  const { law, requested_on: requestedOn, identity_check: check, ...selector } = body
  const identifierId = identifierOf(selector, await loadIdentityScope(db, service, profileId))
  if (identifierId === undefined) throw noCustomer()
  const profile = await findProfileRef(db, { profileId })
  if (requestedOn > localDay(now, profile!.timezone))
    throw new ApiError('validation_error', 'is in the future.', { field: 'requested_on' })
  // Events sent a moment ago may identify the person, or merge them with another customer.
  await service.processor.settled(profileId)
  return inTransaction(db, async (tx) => {
    await lockProfile(tx, profileId)
    const customerId = await findLiveCustomer(tx, { profileId, identifierId })
    if (customerId === undefined) throw noCustomer()
    const parts = [profileId, customerId, law, requestedOn, check.method]
    const selectorHash = rules.requestHash(parts, service.identityPepper)
    const since = new Date(now.getTime() - rules.REPEAT_MS)
    const repeated = await queries.findRepeated(tx, { profileId, customerId, selectorHash, since })
    if (repeated !== undefined) return { row: repeated, isNew: false }
    await requireRoom(tx, place, now)
    const id = uuidv7(now)
    const isMailed = check.method === 'mail_code'
    if (isMailed) await requireMailbox(tx, place, customerId)
    await queries.insertExport(tx, {
      profileId,
      id,
      customerId,
      selectorHash,
      status: isMailed ? 'awaiting_identity' : 'pending',
      law,
      requestedOn,
      dueOn: rules.dueOn(law, requestedOn),
      identity_method: check.method,
      identity_note: ('note' in check ? check.note : null) ?? null,
      createdBy: actorOf(context.caller),
      expiresAt: new Date(now.getTime() + (isMailed ? rules.AWAITING_MS : rules.FILE_MS)),
      now,
    })
    if (isMailed) await sendCode(tx, { profileId, id })
    else await enqueue(tx, buildExport, { id }, { profileId, dedupeKey: id })
    await enqueue(tx, notifyOwners, { id }, { profileId, dedupeKey: id })
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'customer.data_export_requested',
      subject: id,
      detail: { method: check.method, law },
    })
    return { row: (await queries.findExport(tx, { profileIds: [profileId], id }))!, isNew: true }
  })
}

const noCustomer = () => new ApiError('customer_not_found', 'No customer of this profile matches.')

/**
 * A platform reported that the person asked for their data. The owners state who it is; the law is not known, so the
 * request is due after the 30 days that platforms allow.
 */
export async function recordPlatformRequest(
  context: Services,
  { profileId, customerId }: { profileId: string; customerId: string },
): Promise<void> {
  const { db, service, now } = context
  const profile = await findProfileRef(db, { profileId })
  const requestedOn = localDay(now, profile!.timezone)
  const selectorHash = rules.requestHash(
    [profileId, customerId, 'platform', requestedOn],
    service.identityPepper,
  )
  await inTransaction(db, async (tx) => {
    await lockProfile(tx, profileId)
    const since = new Date(now.getTime() - rules.REPEAT_MS)
    if (await queries.findRepeated(tx, { profileId, customerId, selectorHash, since })) return
    await queries.insertExport(tx, {
      profileId,
      id: uuidv7(now),
      customerId,
      selectorHash,
      status: 'awaiting_identity',
      law: 'other',
      requestedOn,
      dueOn: rules.dueOn('other', requestedOn),
      identity_method: null,
      identity_note: null,
      createdBy: actorOf(undefined),
      expiresAt: new Date(now.getTime() + rules.PLATFORM_MS),
      now,
    })
  })
}

async function requireRoom(tx: Tx, { profileId, workspaceId }: Place, now: Date): Promise<void> {
  const profileIds = await listProfileIds(tx, { workspaceId })
  const since = new Date(now.getTime() - DAY_MS)
  const { open, recent } = await queries.countRequests(tx, { profileId, profileIds, since })
  if (open < rules.MAX_OPEN && recent < rules.MAX_PER_DAY) return
  throw new ApiError(
    'rate_limit_exceeded',
    open >= rules.MAX_OPEN
      ? `This profile has ${rules.MAX_OPEN} open exports; finish or cancel some first.`
      : `This workspace started ${rules.MAX_PER_DAY} exports in 24 hours; try again tomorrow.`,
    { retryAfter: 3600 },
  )
}

/** The code goes to the stored address only, and only where the service mails people at all. */
async function requireMailbox(tx: Tx, { profileId, workspaceId }: Place, customerId: string): Promise<void> {
  if ((await listMailedOwners(tx, { workspaceId })).length === 0)
    throw new ApiError(
      'app_provisioned_workspace',
      'The service sends no mail for this workspace; state how the person was identified instead.',
    )
  const contact = (await loadContacts(tx, profileId, [customerId])).get(customerId)
  if (contact?.email == null)
    throw new ApiError('validation_error', 'needs an email address, and none is stored for this customer.', {
      field: 'identity_check',
    })
}

async function sendCode(tx: Tx, { profileId, id }: { profileId: string; id: string }): Promise<void> {
  await queries.countCode(tx, { profileId, id })
  await enqueue(tx, mailCode, { id }, { profileId, dedupeKey: id, priority: 'urgent' })
}

async function confirmExport(context: Services, place: Place, id: string, answer: IdentityAnswer) {
  const { db, service, now } = context
  const { profileId, workspaceId } = place
  // A wrong code is counted although the request is refused, so the transaction returns the refusal.
  const refusal = await inTransaction(db, async (tx): Promise<ApiError | null> => {
    const row = await queries.lockExport(tx, { profileId, id })
    if (row === undefined) return noExport()
    if (row.status !== 'awaiting_identity' || row.expires_at <= now || row.customer_id === null)
      return new ApiError('invalid_state', 'This request does not wait for an identity check.')
    if (answer.method === 'mail_code' && answer.code === undefined) {
      if (row.codes_sent >= rules.MAX_CODES)
        return new ApiError(
          'invalid_state',
          'Too many codes were mailed; identify the person in another way.',
        )
      await requireMailbox(tx, place, row.customer_id)
      await sendCode(tx, { profileId, id })
      return null
    }
    if (answer.method === 'mail_code') {
      const hash = rules.codeHash(id, answer.code!, service.identityPepper)
      const result = rules.checkCode(row, hash, now)
      if (result === 'expired')
        return new ApiError('invalid_state', 'The code has expired or was tried too often; request another.')
      if (result === 'wrong') {
        await queries.countTry(tx, { profileId, id })
        return new ApiError('validation_error', 'is not the code that was mailed.', { field: 'code' })
      }
    }
    const note = ('note' in answer ? answer.note : null) ?? null
    const expiresAt = new Date(now.getTime() + rules.FILE_MS)
    await queries.confirmIdentity(tx, { profileId, id, method: answer.method, note, expiresAt, now })
    await enqueue(tx, buildExport, { id }, { profileId, dedupeKey: id })
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'customer.data_export_confirmed',
      subject: id,
      detail: { method: answer.method, law: row.law },
    })
    return null
  })
  if (refusal !== null) throw refusal
  return (await queries.findExport(db, { profileIds: [profileId], id }))!
}

const noExport = () => new ApiError('not_found', "No such export of a customer's data.")

type Found = { row: queries.ExportRow; place: Place }

async function ofApp(context: ProfileContext, id: string): Promise<Found> {
  requireApp(context)
  const { id: profileId, workspaceId } = context.profile
  const row = await queries.findExport(context.db, { profileIds: [profileId], id })
  if (row === undefined) throw noExport()
  return { row, place: { profileId, workspaceId } }
}

async function ofWorkspace(context: WorkspaceContext, id: string): Promise<Found> {
  requirePersonScope(context)
  const { db, workspaceId } = context
  const row = await queries.findExport(db, { profileIds: await listProfileIds(db, { workspaceId }), id })
  if (row === undefined) throw noExport()
  return { row, place: { profileId: row.profile_id, workspaceId } }
}

export const getCustomerDataExport = async (context: ProfileContext, id: string) =>
  (await ofApp(context, id)).row
export const getWorkspaceCustomerDataExport = async (context: WorkspaceContext, id: string) =>
  (await ofWorkspace(context, id)).row

export const confirmCustomerDataExport = async (context: ProfileContext, id: string, body: IdentityAnswer) =>
  confirmExport(context, (await ofApp(context, id)).place, id, body)
export const confirmWorkspaceCustomerDataExport = async (
  context: WorkspaceContext,
  id: string,
  body: IdentityAnswer,
) => confirmExport(context, (await ofWorkspace(context, id)).place, id, body)

export const deleteCustomerDataExport = async (context: ProfileContext, id: string) =>
  endExport(context, await ofApp(context, id))
export const deleteWorkspaceCustomerDataExport = async (context: WorkspaceContext, id: string) =>
  endExport(context, await ofWorkspace(context, id))

async function endExport(context: Services, { row, place }: Found): Promise<void> {
  const { profileId, workspaceId } = place
  await inTransaction(context.db, async (tx) => {
    const from = ['awaiting_identity', 'pending', 'ready'] as const
    const ended = { profileId, id: row.id, from, to: 'cancelled' as const }
    if (!(await queries.endExport(tx, ended))) return
    await deleteParts(tx, { profileId, ids: [row.id] })
    const action = 'customer.data_export_cancelled'
    await recordChange(tx, context, { workspaceId, profileId, action, subject: row.id })
  })
}

export async function downloadCustomerDataExport(context: ProfileContext, id: string) {
  const { row } = await ofApp(context, id)
  const file = await openFile(context, row)
  context.shown.add(row.customer_id!)
  return file
}

export async function downloadWorkspaceCustomerDataExport(context: WorkspaceContext, id: string) {
  const { row, place } = await ofWorkspace(context, id)
  const file = await openFile(context, row)
  const profile = (await findProfileRef(context.db, place))!
  await logPersonAccess({ ...context, profile }, 'downloadWorkspaceCustomerDataExport', [row.customer_id!])
  return file
}

async function openFile({ db, service, now }: Services, row: queries.ExportRow) {
  const { profile_id: profileId, id } = row
  if (row.status !== 'ready' || row.expires_at <= now || row.customer_id === null)
    throw new ApiError('not_found', 'There is no file: it is not built yet, was deleted, or has expired.')
  await queries.countDownload(db, { profileId, id })
  async function* read() {
    for (let part = 0; ; part++) {
      const stored = await queries.findPart(service.db, { profileId, exportId: id, part })
      if (stored === undefined) return
      yield openPart(service.keyring, { profileId, exportId: id, part }, stored.sealed)
    }
  }
  return { bytes: Readable.from(read(), { objectMode: false }), size: row.bytes!, id }
}

type ListQuery = {
  status?: queries.ExportRow['status'] | undefined
  due?: 'overdue' | undefined
  cursor?: string | undefined
  limit: number
}

export async function listWorkspaceCustomerDataExports(context: WorkspaceContext, query: ListQuery) {
  requirePersonScope(context)
  const { db, workspaceId, now } = context
  const rows = await queries.listExports(db, {
    profileIds: await listProfileIds(db, { workspaceId }),
    status: query.status ?? null,
    overdueOn: query.due === undefined ? null : localDay(now, 'UTC'),
    after: accepted(rules.readPlace(query.cursor)),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (last) => [last.rank, last.due_on, last.id])
}
