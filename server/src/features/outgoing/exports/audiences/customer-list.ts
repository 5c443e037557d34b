import { randomInt } from 'node:crypto'
import type {
  ExportConsent,
  CustomerListMember as Matched,
  Session,
} from '../../../../connectors/connector.ts'
import { type ConfiguredProvider, hasFacet } from '../../../../connectors/registry.ts'
import { authorizationOf, type ProfileContext } from '../../../../context.ts'
import { requireOwnObject } from '../../../../platform/access/created-by-apps.ts'
import { requireLiveMaker } from '../../../../platform/access/live-maker.ts'
import { recordChange } from '../../../../platform/audit/record.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { isRefused, noConsent } from '../../../facts/consents/rules.ts'
import { loadConsents } from '../../../facts/consents/statements.ts'
import type { ConsentState, PrivacyMode } from '../../../facts/export-queue/rules.ts'
import { identityScope } from '../../../facts/identity/scope.ts'
import { getConnectionRow, live } from '../../../sources/connections/operations.ts'
import type { ConnectionRow } from '../../../sources/connections/queries.ts'
import { findSettings, readPrivacyMode } from '../catalog/queries.ts'
import { refuseUnusable } from '../destinations/operations.ts'
import { requireOffered, toAudienceError } from '../platform-safe/operations.ts'
import { loadPeople } from '../run/facts.ts'
import type { CustomerListMember } from './contract.ts'
import * as queries from './queries.ts'
import { type Member, personHash, publicName, readMember, toMatched } from './rules.ts'

type ListBody = {
  connection_id: string
  audience: { id: string } | { name: string }
  operation: 'add' | 'remove' | 'replace'
  members: CustomerListMember[]
  /** True if the members were found by a filter, so that they are kept up to date here. */
  isFromFilter?: boolean
  consent: { ad_user_data: ConsentState; ad_personalization: ConsentState }
  terms_accepted: boolean
  dry_run: boolean
}

type Invalid = { index: number; reason: 'customer_not_in_profile' | 'no_match_keys' }

const MAX_SESSION = 2 ** 47

export function sendCustomerList(context: ProfileContext, body: ListBody) {
  requireApp(context)
  return sendList(context, body)
}

/**
 * `record` runs in the transaction that stores the members, before the platform is called. This code commits its own
 * transactions: that of a request with an Idempotency-Key is rolled back if the platform fails, but people may already
 * have been sent.
 */
export async function sendList(
  context: ProfileContext,
  body: ListBody,
  record: (tx: Tx) => Promise<void> = async () => {},
) {
  const profileId = context.profile.id
  const mode = await requireAllowedMode(context)
  if (body.consent.ad_user_data === 'denied')
    throw new ApiError('validation_error', 'people who refused consent cannot be sent.', {
      field: 'consent.ad_user_data',
    })
  const connection = await getConnectionRow(context, body.connection_id)
  if (!hasFacet(connection.provider, 'audiences'))
    throw new ApiError('validation_error', `${connection.provider} has no customer lists.`, {
      field: 'connection_id',
    })
  refuseUnusable(connection)
  const { members, invalid } = await readMembers(context, body.members)
  const { allowed, excluded } =
    body.operation === 'remove' ? { allowed: members, excluded: 0 } : await withoutExcluded(context, members)
  const counts = { received: body.members.length, queued: allowed.length, excluded, invalid }
  const existing = await findExistingList(context, body, connection)
  if (existing?.ended_at != null) await requireOwnObject(context.db, context, existing.authorization_id)
  if (body.dry_run) return { run_id: null, audience_id: existing?.external_id ?? null, ...counts }
  const isFromFilter = body.isFromFilter === true
  const stored = existing ?? (await createList(context, body, connection, mode))
  const list = await saveList(context, stored, isFromFilter)
  const former = body.operation === 'replace' ? await listFormerMembers(context, list, allowed) : []
  const requestId = await sendChange(context, connection, list, { body, allowed, former }, async (tx) => {
    await recordChange(tx, context, {
      workspaceId: context.profile.workspaceId,
      profileId,
      action: 'audience.customer_list_sent',
      subject: list.external_id,
      detail: { operation: body.operation, received: counts.received, sent: allowed.length, excluded },
    })
    await record(tx)
  })
  const runId = uuidv7(context.now)
  await context.service.db.transaction().execute(async (tx) => {
    const listId = list.id
    const removed = body.operation === 'remove' ? allowed : former
    const removedIds = removed.flatMap((member) => member.identifierIds)
    await queries.removeMembers(tx, { profileId, listId, identifierIds: removedIds })
    await queries.insertAudienceRun(tx, {
      profileId,
      id: runId,
      listId,
      operation: body.operation,
      received: body.members.length,
      sent: body.operation === 'remove' ? 0 : allowed.length,
      removed: removed.length,
      requestId,
      now: context.now,
    })
  })
  return { run_id: runId, audience_id: list.external_id, ...counts }
}

function requireApp({ caller }: ProfileContext): void {
  if (caller.kind === 'key' && caller.appId !== null) return
  throw new ApiError('api_key_required', 'This route requires a partner app’s API key.')
}

/** Refuses before any platform is called. */
async function requireAllowedMode({ db, profile }: ProfileContext): Promise<PrivacyMode> {
  const profileId = profile.id
  const mode = await readPrivacyMode(db, { profileId })
  const isOn = (await findSettings(db, { profileId }))?.partner_customer_list === true
  const isPatients = profile.healthcareWorkspace || mode !== 'standard'
  if (mode === 'hipaa' || (isPatients && !isOn))
    throw new ApiError(
      'platform_safe_audiences_disabled',
      mode === 'hipaa'
        ? 'The profile is in the mode hipaa, in which no audience is sent.'
        : 'This is a healthcare profile: an owner or admin has to allow customer lists first.',
      mode === 'hipaa' ? {} : { hint: 'PUT /conversion-sync/catalog with partner_customer_list.' },
    )
  return mode
}

async function readMembers(
  context: ProfileContext,
  sent: readonly CustomerListMember[],
): Promise<{ members: Member[]; invalid: Invalid[] }> {
  const profileId = context.profile.id
  const scope = identityScope(context.service, context.profile)
  const ids = sent.flatMap((member) => ('customer_id' in member ? member.customer_id : []))
  const alive = await queries.listLiveCustomers(context.db, { profileId, ids })
  const people = await loadPeople(context.db, profileId, [...alive], { withLeads: false })
  const members: Member[] = []
  const invalid: Invalid[] = []
  for (const [index, member] of sent.entries()) {
    if (!('customer_id' in member)) {
      const read = readMember(member, index, scope)
      if (read === null) invalid.push({ index, reason: 'no_match_keys' })
      else members.push(read)
    } else if (!alive.has(member.customer_id)) invalid.push({ index, reason: 'customer_not_in_profile' })
    else {
      const matched = toMatched(people.get(member.customer_id))
      if (matched === null) invalid.push({ index, reason: 'no_match_keys' })
      else members.push({ index, identifierIds: [member.customer_id], matched })
    }
  }
  return { members, invalid }
}

/** Without people that the business excluded or who refused, whatever consent the caller states. */
async function withoutExcluded({ db, profile }: ProfileContext, members: readonly Member[]) {
  const profileId = profile.id
  const { customerIds, hashes } = await queries.loadExclusions(db, { profileId })
  const identifierIds = members.flatMap((member) => member.identifierIds)
  const customerOf = await queries.loadCustomerIds(db, { profileId, identifierIds })
  const customerIdOf = (id: string) => customerOf.get(id) ?? id
  const people = [...new Set(identifierIds.map(customerIdOf))]
  const consents = await loadConsents(db, { profileId, customerIds: people })
  const isExcluded = (id: string) =>
    customerIds.has(customerIdOf(id)) ||
    hashes.has(personHash(id).toString('hex')) ||
    isRefused(consents.get(customerIdOf(id)) ?? noConsent)
  const allowed = members.filter((member) => !member.identifierIds.some(isExcluded))
  return { allowed, excluded: members.length - allowed.length }
}

function findExistingList({ db, profile }: ProfileContext, body: ListBody, connection: ConnectionRow) {
  const ref = { profileId: profile.id, connectionId: connection.id }
  return 'id' in body.audience
    ? queries.findList(db, { ...ref, externalId: body.audience.id })
    : queries.findList(db, { ...ref, name: body.audience.name })
}

async function createList(
  context: ProfileContext,
  body: ListBody,
  connection: ConnectionRow,
  mode: PrivacyMode,
): Promise<queries.ListRow> {
  const row = { id: uuidv7(context.now), connection_id: connection.id }
  if ('id' in body.audience) return { ...row, external_id: body.audience.id, name: null }
  const { name } = body.audience
  const newList = { name: publicName(name, context.profile.id, mode), description: null }
  const created = await callPlatform(context, connection, (session, connector) =>
    requireOffered(connector.audiences).create(session, newList),
  )
  return { ...row, external_id: created.id, name }
}

async function saveList(
  context: ProfileContext,
  list: queries.ListRow,
  isFromFilter: boolean,
): Promise<queries.ListRow> {
  const { caller, now, profile, service } = context
  const profileId = profile.id
  const authorizationId = authorizationOf(caller)
  await service.db.transaction().execute(async (tx) => {
    await requireLiveMaker(tx, context)
    await queries.insertList(tx, { ...list, profileId, authorizationId, isFromFilter, now })
  })
  const { connection_id: connectionId, external_id: externalId } = list
  return (await queries.findList(service.db, { profileId, connectionId, externalId }))!
}

type Change = { body: ListBody; allowed: readonly Member[]; former: readonly Member[] }

/**
 * New members are stored before they are sent, so that an erasure during the call or after a crash removes them from the
 * platform. If the platform refuses the list, the stored members are deleted again.
 */
async function sendChange(
  context: ProfileContext,
  connection: ConnectionRow,
  list: queries.ListRow,
  plan: Change,
  record: (tx: Tx) => Promise<void>,
): Promise<string | null> {
  const { now, profile, service } = context
  const ref = { profileId: profile.id, listId: list.id }
  const identifierIds =
    plan.body.operation === 'remove' ? [] : plan.allowed.flatMap((member) => member.identifierIds)
  const added = await service.db.transaction().execute(async (tx) => {
    await record(tx)
    return queries.addMembers(tx, { ...ref, identifierIds, now })
  })
  try {
    return await applyChange(context, connection, list, plan)
  } catch (error) {
    if (
      error instanceof ApiError &&
      ['audience_tos_required', 'social_write_permission_missing'].includes(error.code)
    )
      await service.db.transaction().execute(async (tx) => {
        await queries.removeMembers(tx, { ...ref, identifierIds: added })
        await recordChange(tx, context, {
          workspaceId: profile.workspaceId,
          profileId: profile.id,
          action: 'audience.customer_list_refused',
          subject: list.external_id,
          detail: { operation: plan.body.operation, reason: error.code },
        })
      })
    throw error
  }
}

function callPlatform<T>(
  context: ProfileContext,
  connection: ConnectionRow,
  work: (session: Session, connector: ConfiguredProvider['connector']) => Promise<T>,
): Promise<T> {
  return live(context, connection, async (session, { connector }) => {
    try {
      return await work(session, connector)
    } catch (error) {
      throw toAudienceError(error)
    }
  })
}

/** Stored members that are not in the new list and still have data to match by. */
async function listFormerMembers(
  { db, profile }: ProfileContext,
  list: queries.ListRow,
  allowed: readonly Member[],
): Promise<Member[]> {
  const newIds = new Set(allowed.flatMap((member) => member.identifierIds))
  const storedIds = await queries.listMembers(db, { profileId: profile.id, listId: list.id })
  return loadMatchableMembers(
    db,
    profile.id,
    storedIds.filter((id) => !newIds.has(id)),
  )
}

/** Members with the values that the platform matches their customers by. People without such values are left out. */
export async function loadMatchableMembers(
  db: ProfileContext['db'],
  profileId: string,
  identifierIds: readonly string[],
): Promise<Member[]> {
  const customerOf = await queries.loadCustomerIds(db, { profileId, identifierIds })
  const people = await loadPeople(db, profileId, [...new Set(customerOf.values())], { withLeads: false })
  return identifierIds.flatMap((id, index) => {
    const matched = toMatched(people.get(customerOf.get(id) ?? ''))
    return matched === null ? [] : [{ index, identifierIds: [id], matched }]
  })
}

/** Consent that is sent with members to remove. */
export const removalConsent = { adUserData: 'granted', adPersonalization: 'denied' } as const

/** One batch: a request has no more members than a platform accepts in one call. */
export function toBatch(members: readonly Matched[], consent: ExportConsent, termsAccepted = false) {
  return {
    members: [...members],
    consent,
    termsAccepted,
    sessionId: randomInt(1, MAX_SESSION),
    sequence: 1,
    isLast: true,
  }
}

const toMatchedValues = ({ matched }: Member) => matched

async function applyChange(
  context: ProfileContext,
  connection: ConnectionRow,
  list: queries.ListRow,
  { body, allowed, former }: Change,
): Promise<string | null> {
  const consent = {
    adUserData: body.consent.ad_user_data,
    adPersonalization: body.consent.ad_personalization,
  }
  const toRemove = body.operation === 'remove' ? allowed : former
  return callPlatform(context, connection, async (session, connector) => {
    const uploadReply =
      body.operation === 'remove' || allowed.length === 0
        ? null
        : await requireOffered(connector.audiences).upload(
            session,
            list.external_id,
            toBatch(allowed.map(toMatchedValues), consent, body.terms_accepted),
          )
    const removeReply =
      toRemove.length === 0
        ? null
        : await requireOffered(connector.audiences).remove(
            session,
            list.external_id,
            toBatch(toRemove.map(toMatchedValues), consent, body.terms_accepted),
          )
    return uploadReply?.requestId ?? removeReply?.requestId ?? null
  })
}
