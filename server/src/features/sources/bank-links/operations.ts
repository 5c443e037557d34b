/**
 * Bank accounts are linked on the provider's hosted page instead of by OAuth. The provider's webhook finishes the link;
 * a caller may finish it too and receives the same connection.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startLink as askForLink, finishLink, readLinkedToken } from '../../../connectors/banklink/client.ts'
import { type Account, ProviderError, type TokenSet } from '../../../connectors/connector.ts'
import type { Banklink } from '../../../connectors/registry.ts'
import type { ProfileContext, ProfileRef, Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { type Db, databaseNow, inTransaction, type Tx } from '../../../platform/db/database.ts'
import {
  appsOfCaller,
  type ConnectionView,
  getConnection,
  LIVE_BUDGET_MS,
} from '../connections/operations.ts'
import { toProviderApiError } from '../connections/session.ts'
import { announceConnection, connectAccount } from '../connections/store.ts'
import {
  claimBankLink,
  findBankLink,
  finishBankLinkRow,
  insertBankLink,
  type LinkApps,
  releaseBankLink,
} from './queries.ts'

export const BANKLINK = 'banklink' as const
const POLL_MS = 200

function banklinkOf(context: ProfileContext): Banklink {
  const { banklink } = context.service
  if (banklink === undefined)
    throw new ApiError('provider_not_configured', 'Bank links are not configured on the service.')
  return banklink
}

export async function startBankLink(context: ProfileContext) {
  const { app, http } = banklinkOf(context)
  const { profile, service } = context
  const countryCodes = (app.extra.countryCodes ?? 'US').split(',')
  const webhook = `${service.config.BASE_URL}/webhooks/in/${BANKLINK}`
  const request = { clientName: profile.name, userId: profile.id, countryCodes, webhook }
  try {
    const link = await askForLink(http.within(LIVE_BUDGET_MS), app, request)
    const now = await databaseNow(context.db)
    const apps = [...appsOfCaller(context)]
    await insertBankLink(context.db, { profileId: profile.id, linkToken: link.linkToken, apps, now })
    return { link_token: link.linkToken, url: link.url, expires_at: link.expiresAt }
  } catch (error) {
    throw toProviderApiError(error)
  }
}

type LinkTokens = { link_token?: string | undefined; public_token?: string | undefined }

export async function connectBankLink(context: ProfileContext, tokens: LinkTokens): Promise<ConnectionView> {
  const { profile, service, db } = context
  const banklink = banklinkOf(context)
  try {
    const id =
      tokens.link_token === undefined
        ? await exchange(service, banklink, {
            profile,
            apps: [...appsOfCaller(context)],
            publicToken: tokens.public_token!,
          })
        : await finishForCaller(db, service, banklink, profile, tokens.link_token)
    return await getConnection(context, id)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant')
      throw notAccepted(tokens.link_token === undefined ? 'public_token' : 'link_token', error)
    throw toProviderApiError(error)
  }
}

const notAccepted = (field: string, cause?: unknown) =>
  new ApiError('invalid_parameter', 'the bank-link provider does not accept this token.', { field, cause })
const elsewhere = () =>
  new ApiError(
    'account_connected_elsewhere',
    'This bank is linked to another profile of the workspace, or was linked by someone else.',
  )

/** If the webhook job is finishing the link right now, waits for it. */
async function finishForCaller(
  db: Db,
  service: Service,
  banklink: Banklink,
  profile: ProfileRef,
  linkToken: string,
): Promise<string> {
  for (const deadline = Date.now() + LIVE_BUDGET_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const result = await finishBankLink(db, service, banklink, { profile, linkToken })
    switch (result.type) {
      case 'connected':
        return result.connectionId
      case 'refused':
        throw result.refusal === 'elsewhere' ? elsewhere() : notAccepted('link_token')
      case 'unknown':
        throw notAccepted('link_token')
      case 'open':
        throw new ApiError('invalid_parameter', 'the person has not finished this link yet.', {
          field: 'link_token',
        })
      case 'busy':
    }
  }
  throw new ApiError('service_unavailable', 'The link is still being finished; try again in a moment.')
}

type LinkResult =
  | { type: 'connected'; connectionId: string }
  | { type: 'refused'; refusal: string }
  /** No such link, or a link of another profile. */
  | { type: 'unknown' }
  /** The person has not finished. */
  | { type: 'open' }
  /** Another call holds the claim. */
  | { type: 'busy' }

/** Idempotent, guarded by a claim: the public token of a link can be exchanged only once. */
export async function finishBankLink(
  db: Db,
  service: Service,
  { app, http }: Banklink,
  { profile, linkToken }: { profile: ProfileRef; linkToken: string },
): Promise<LinkResult> {
  const link = await findBankLink(db, { linkToken })
  if (link?.profile_id !== profile.id) return { type: 'unknown' }
  if (link.connection_id !== null) return { type: 'connected', connectionId: link.connection_id }
  if (link.refusal !== null) return { type: 'refused', refusal: link.refusal }
  const ref = { profileId: profile.id }
  const claimId = await claimBankLink(db, { ...ref, linkToken, now: await databaseNow(db) })
  if (claimId === undefined) return { type: 'busy' }
  try {
    const publicToken = await readLinkedToken(http.within(LIVE_BUDGET_MS), app, linkToken)
    if (publicToken === null) {
      await releaseBankLink(db, { ...ref, claimId })
      return { type: 'open' }
    }
    const connectionId = await exchange(
      service,
      { app, http },
      { profile, apps: link.apps, publicToken },
      async (tx, connectionId, now) =>
        finishBankLinkRow(tx, { ...ref, claimId, connectionId, refusal: null, now }),
    )
    return { type: 'connected', connectionId }
  } catch (error) {
    const refusal = refusalOf(error)
    const now = await databaseNow(db)
    if (refusal === null) await releaseBankLink(db, { ...ref, claimId })
    else await finishBankLinkRow(db, { ...ref, claimId, connectionId: null, refusal, now })
    if (refusal === null) throw error
    return { type: 'refused', refusal }
  }
}

/** Permanent failures: the bank is linked elsewhere or by somebody else, or the token was already exchanged. */
function refusalOf(error: unknown): 'elsewhere' | 'used' | null {
  if (error instanceof ApiError && ['account_connected_elsewhere', 'forbidden'].includes(error.code))
    return 'elsewhere'
  return error instanceof ProviderError && error.reason === 'invalid_grant' ? 'used' : null
}

async function exchange(
  service: Service,
  { app, http }: Pick<Banklink, 'app' | 'http'>,
  link: { profile: ProfileRef; apps: LinkApps; publicToken: string },
  afterConnect: (tx: Tx, connectionId: string, now: Date) => Promise<void> = async () => {},
): Promise<string> {
  const { token, account } = await finishLink(http.within(LIVE_BUDGET_MS), app, link.publicToken)
  return inTransaction(service.db, async (tx) => {
    const now = await databaseNow(tx)
    const connectionId = await storeAccount(tx, service, { ...link, token, account, now })
    await afterConnect(tx, connectionId, now)
    return connectionId
  })
}

/** No hand-off page showed the owner who connects the bank, so the link ends with the app that started it. */
function startingApp(apps: LinkApps) {
  const authorizationId = apps.find((app) => app.authorizationId !== null)?.authorizationId ?? null
  return authorizationId === null ? null : { authorizationId, mayReplace: false }
}

async function storeAccount(
  tx: Tx,
  service: Service,
  link: { profile: ProfileRef; apps: LinkApps; token: TokenSet; account: Account; now: Date },
): Promise<string> {
  const { profile, now } = link
  const connectionId = await connectAccount(tx, service, {
    profileId: profile.id,
    workspaceId: profile.workspaceId,
    connector: { provider: BANKLINK, exclusiveAccount: true },
    account: link.account,
    token: link.token,
    apps: link.apps,
    connectingApp: startingApp(link.apps),
    now,
  })
  if (connectionId === undefined) throw elsewhere()
  const event = { profileId: profile.id, connectionId, provider: BANKLINK, status: 'connected' }
  await announceConnection(tx, 'connection.connected', { ...event, reason: null }, now)
  return connectionId
}
