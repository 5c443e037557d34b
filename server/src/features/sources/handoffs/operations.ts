/** Creating and polling hand-offs. Expiry is computed from the clock when a hand-off is read; no job writes it. */
import type { Provider } from '../../../connectors/connector.ts'
import {
  connectorOf,
  isMailboxVendor,
  MAILBOX,
  type MailboxVendor,
  mailboxVendors,
} from '../../../connectors/mailbox.ts'
import { shopForms } from '../../../connectors/shops.ts'
import type { AnyContext, KeyCaller, ProfileContext, Service, UserCaller } from '../../../context.ts'
import { canDecide, isPartner, requireDecider } from '../../../platform/access/decisions.ts'
import { findProfileRef, findWorkspaceRole } from '../../../platform/access/queries.ts'
import { requireSignInPolicy } from '../../../platform/access/sign-in-policy.ts'
import { roleAtLeast, satisfiesScope } from '../../../platform/contract/access.ts'
import { ApiError, noProfile } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type Db, databaseNow, type Tx } from '../../../platform/db/database.ts'
import { findPermissions, requireScopes } from '../../../platform/http/authorize.ts'
import { urlRefusal } from '../../../platform/outbound/client.ts'
import type { Handoff } from './contract.ts'
import {
  findGoverningApp,
  findHandoff,
  findReusableConnect,
  type HandoffRow,
  insertHandoff,
  listMailboxVendors,
  settlePendingCheckout,
} from './queries.ts'
import { allowedReturnUrl, HANDOFF_LIFE_MS, type Reason } from './rules.ts'
import { toLinkToken } from './token.ts'

type MintBody = {
  profile_id?: string | undefined
  return_url?: string | undefined
  shop?: string | undefined
}

export async function mintHandoff(
  context: ProfileContext,
  channel: Provider | typeof MAILBOX,
  body: MintBody,
): Promise<Handoff> {
  const { profile, caller, service, db } = context
  if (body.profile_id !== undefined && body.profile_id !== profile.id) throw noProfile()
  const provider = channel === MAILBOX ? await vendorOfMailbox(context) : channel
  // A mailbox sends the profile's reports, so connecting one needs a decider.
  if (isMailboxVendor(provider) && isPartner(context)) await requireDecider(context, 'Connecting a mailbox')
  const mintedAppId = caller.kind === 'key' ? caller.appId : null
  const governingAppId = profile.governingAppId ?? mintedAppId
  const returnUrl = await checkReturnUrl(db, body.return_url, governingAppId, mintedAppId)
  const shop = checkShop(service, provider, body.shop)
  const now = await databaseNow(db)
  const configured = service.providers.has(provider)
  return storeHandoff(service, db, now, {
    kind: 'connect',
    workspace_id: profile.workspaceId,
    profile_id: profile.id,
    provider,
    shop,
    governing_app_id: governingAppId,
    minted_app_id: mintedAppId,
    minted_authorization_id: caller.kind === 'key' ? caller.authorizationId : null,
    return_url: returnUrl,
    ...(configured ? {} : { status: 'failed', reason: 'provider_not_configured' }),
  })
}

/** `mailbox` is what a mailbox's connection reports as its channel; the vendor is where it was connected. */
async function vendorOfMailbox({ db, profile, caller }: ProfileContext): Promise<MailboxVendor> {
  const appId = caller.kind === 'key' ? caller.appId : null
  const connected = await listMailboxVendors(db, { profileId: profile.id, appId })
  const vendors = mailboxVendors.filter((vendor) => connected.includes(vendor))
  if (vendors.length === 1) return vendors[0]!
  throw new ApiError(
    'invalid_parameter',
    `The profile has ${vendors.length === 0 ? 'no mailbox' : 'mailboxes of several vendors'}: name ${mailboxVendors.join(' or ')} instead of mailbox.`,
    { field: 'provider' },
  )
}

/** A link that expires sooner than this is not reused. */
const REUSE_LIFE_MS = 15 * 60_000

/**
 * The link to authorize a connection again; null if the caller may not create one or the provider has
 * no OAuth consent. A pending link is reused, so that a caller in a retry loop creates few. The link is
 * stored outside the request's transaction, which is rolled back by the error that contains the link.
 */
export async function reconnectUrl(
  context: ProfileContext,
  connection: { provider: string; external_id: string; provider_subtype: string | null },
): Promise<string | null> {
  const { service, profile, caller } = context
  const provider = connectorOf(connection) as Provider
  const isMailbox = connection.provider === MAILBOX
  if (!service.providers.has(provider) || (connection.provider_subtype !== null && !isMailbox)) return null
  const grant = caller.kind === 'key' ? caller.grant : null
  if (!satisfiesScope(context.scopes, 'connections:write', grant)) return null
  if (isMailbox && isPartner(context) && !(await canDecide(context))) return null
  const mintedAppId = caller.kind === 'key' ? caller.appId : null
  const shop = shopForms[provider] === undefined ? null : connection.external_id
  const now = await databaseNow(service.db)
  const reusable = await findReusableConnect(service.db, {
    profileId: profile.id,
    provider,
    shop,
    mintedAppId,
    validUntil: new Date(now.getTime() + REUSE_LIFE_MS),
  })
  if (reusable !== undefined) return linksOf(service, reusable.id).url
  const minted = await mintHandoff({ ...context, db: service.db }, provider, shop === null ? {} : { shop })
  return minted.url
}

/** Creates a link to a payment page; `settleCheckout` settles it once the payment arrives. */
export async function mintCheckout(
  service: Service,
  db: Db | Tx,
  checkout: { id: string; workspaceId: string; plan: string; destination: string; sessionId: string },
): Promise<Handoff> {
  return storeHandoff(service, db, await databaseNow(db), {
    id: checkout.id,
    kind: 'checkout',
    workspace_id: checkout.workspaceId,
    detail: JSON.stringify({
      plan: checkout.plan,
      destination: checkout.destination,
      session_id: checkout.sessionId,
    }),
  })
}

export async function settleCheckout(
  db: Db | Tx,
  checkout: { handoffId: string; status: 'completed' | 'cancelled'; result: Record<string, unknown> },
): Promise<boolean> {
  const now = await databaseNow(db)
  const { handoffId: id, status, result } = checkout
  return settlePendingCheckout(db, { id, status, result, now })
}

async function storeHandoff(
  service: Service,
  db: Db | Tx,
  now: Date,
  fields: Pick<HandoffRow, 'kind' | 'workspace_id'> &
    Partial<Omit<HandoffRow, 'detail' | 'result'>> & { detail?: string; reason?: string },
): Promise<Handoff> {
  const { reason, ...columns } = fields
  const row = await insertHandoff(db, {
    status: 'pending',
    id: uuidv7(),
    ...columns,
    created_at: now,
    expires_at: new Date(now.getTime() + HANDOFF_LIFE_MS),
    ...(reason === undefined
      ? {}
      : { completed_at: now, result: JSON.stringify({ provider: fields.provider, reason }) }),
  })
  return toHandoff(service, row, now)
}

async function checkReturnUrl(
  db: Db | Tx,
  returnUrl: string | undefined,
  governingAppId: string | null,
  mintedAppId: string | null,
): Promise<string | null> {
  if (returnUrl === undefined) return null
  const refusal = (reason: string) => new ApiError('invalid_parameter', `${reason}.`, { field: 'return_url' })
  if (governingAppId === null)
    throw refusal('no app governs this profile, so no return address is registered: omit it')
  if (mintedAppId !== null && mintedAppId !== governingAppId)
    throw refusal('this profile is governed by another app')
  const allowed = allowedReturnUrl(returnUrl, await findGoverningApp(db, { appId: governingAppId }))
  if (allowed === undefined)
    throw refusal(
      'must be an http or https address whose origin is in allowed_return_origins or redirect_uris of the app that governs this profile',
    )
  return allowed
}

/** The shop's address in canonical form; null for providers whose consent does not start at a shop. */
export function checkShop(
  service: Service,
  provider: Provider | typeof MAILBOX,
  shop: string | undefined,
): string | null {
  const form = provider === MAILBOX ? undefined : shopForms[provider]
  if (form === undefined) return null
  if (shop === undefined)
    throw new ApiError('validation_error', `required when the provider is ${provider}.`, { field: 'shop' })
  const address = form.normalise(shop)
  if (address === null) throw new ApiError('invalid_parameter', `${form.hint}.`, { field: 'shop' })
  const problem = urlRefusal(`https://${address}`, service.config.WEBHOOK_ALLOW_CIDRS)
  if (problem !== undefined)
    throw new ApiError('invalid_parameter', `${problem}; ${form.hint}.`, { field: 'shop' })
  return address
}

/**
 * Readable by the profile's keys (an app's keys only for hand-offs of that app) and by people with access to the
 * profile. The links are a capability, so reading requires the write scope.
 */
export async function getHandoff(
  context: AnyContext,
  id: string,
): Promise<{ handoff: Handoff; scope: { profile_id: string } | { workspace_id: string } }> {
  const row = await findHandoff(context.db, { id })
  if (row === undefined || !(await mayRead(context, row)))
    throw new ApiError('not_found', 'No such hand-off.')
  const { profile_id, workspace_id } = row
  return {
    handoff: toHandoff(context.service, row, await databaseNow(context.db)),
    scope: profile_id === null ? { workspace_id } : { profile_id },
  }
}

async function mayRead(context: AnyContext, row: HandoffRow): Promise<boolean> {
  const caller = context.caller as KeyCaller | UserCaller
  if (caller.kind === 'key' && row.profile_id !== caller.profileId) return false
  // A link authorizes the person who holds it, so an app sees only the links that it created.
  if (caller.kind === 'key' && caller.appId !== null && caller.appId !== row.minted_app_id) return false
  if (row.profile_id === null) return isWorkspaceAdmin(context, caller as UserCaller, row.workspace_id)
  const profile = await findProfileRef(context.db, { profileId: row.profile_id })
  const permissions = profile && (await findPermissions(context, caller, profile))
  if (permissions === undefined) return false
  requireScopes(caller, permissions, { scopes: ['connections:write'] })
  return true
}

async function isWorkspaceAdmin(
  context: AnyContext,
  caller: UserCaller,
  workspaceId: string,
): Promise<boolean> {
  const role = await findWorkspaceRole(context.db, { workspaceId, userId: caller.userId })
  if (role === undefined) return false
  await requireSignInPolicy(context.service, caller, { workspaceId })
  return roleAtLeast(role, 'admin')
}

export function linksOf(service: Service, handoffId: string): { url: string; startUrl: string } {
  const url = `${service.config.BASE_URL}/connect/${toLinkToken(service.keyring, handoffId)}`
  return { url, startUrl: `${url}/start` }
}

export type HandoffResultValue = {
  provider?: string
  connection_id?: string
  pending_selection?: { candidate_count: number; expires_at: string }
  reason?: string
}

/** Current status of a hand-off: after its expiry, a pending one counts as failed. */
export function currentStatus(
  row: HandoffRow,
  now: Date,
): { status: Handoff['status']; result: HandoffResultValue | null; settledAt: Date | null } {
  if (row.status === 'pending' && row.expires_at <= now) {
    const result = { ...(row.provider === null ? {} : { provider: row.provider }), reason: 'handoff_expired' }
    return { status: 'failed', result, settledAt: row.expires_at }
  }
  return {
    status: row.status as Handoff['status'],
    result: row.result as HandoffResultValue | null,
    settledAt: row.completed_at,
  }
}

function toHandoff(service: Service, row: HandoffRow, now: Date): Handoff {
  const { status, result, settledAt } = currentStatus(row, now)
  const { url, startUrl } = linksOf(service, row.id)
  return {
    id: row.id,
    kind: row.kind as Handoff['kind'],
    status,
    url,
    start_url: startUrl,
    expires_at: row.expires_at,
    created_at: row.created_at,
    completed_at: settledAt ?? null,
    result: result as Handoff['result'],
    last_attempt:
      status !== 'pending' || row.last_attempt_at === null
        ? null
        : { at: row.last_attempt_at, reason: row.last_attempt_reason as Reason },
  }
}
