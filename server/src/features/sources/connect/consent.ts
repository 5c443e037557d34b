/**
 * Handles the provider's OAuth callback. One consent at a time holds the hand-off's claim. All writes
 * are in one transaction that checks the claim again, so a consent that lost its claim, expired or was
 * interrupted stores nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Account, type Deposit, ProviderError, type TokenSet } from '../../../connectors/connector.ts'
import { storedProvider } from '../../../connectors/mailbox.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { handoffCompleted } from '../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { discardToken } from '../connections/discard.ts'
import { parkSelection } from '../connections/pending.ts'
import { announceConnection, connectAccount } from '../connections/store.ts'
import { startFirstSync } from '../connections/sync-state.ts'
import { currentStatus, type HandoffResultValue } from '../handoffs/operations.ts'
import {
  claimHandoff,
  findGoverningApp,
  findHandoff,
  type HandoffRow,
  lockClaimed,
  noteAttempt,
  releaseClaim,
  settleHandoff,
} from '../handoffs/queries.ts'
import { allowedReturnUrl, appsOf, type Reason, SELECTION_LIFE_MS } from '../handoffs/rules.ts'
import { type Attempt, isSameBrowser, readState, STATE_LIFE_MS, verifierOf } from '../handoffs/token.ts'
import { depositOf } from './deposits.ts'

/** Time limit for all calls to the provider together; well within the claim's lifetime. */
const PROVIDER_BUDGET_MS = 25_000
const WAIT_FOR_WINNER_MS = 10_000
const POLL_MS = 100

/** Result of the visit: `reason` if this visit was refused; otherwise the status of the hand-off applies. */
export type Ending = { handoff: HandoffRow | undefined; reason: Reason | null; attempt?: string }

export type Callback = {
  provider: string
  query: Record<string, string>
  cookie: (name: string) => string | undefined
  requestId: string
}

export async function finishConsent(service: Service, callback: Callback): Promise<Ending> {
  const attempt = readState(service.keyring, callback.query.state)
  if (attempt === undefined) return { handoff: undefined, reason: 'state_invalid' }
  const ending = await finishAttempt(service, callback, attempt)
  // Otherwise who polls would never learn what the page at the return address says.
  if (ending.reason !== null && ending.handoff?.status === 'pending')
    await noteAttempt(service.db, {
      id: attempt.handoffId,
      reason: ending.reason,
      now: await databaseNow(service.db),
    })
  return ending
}

async function finishAttempt(service: Service, callback: Callback, attempt: Attempt): Promise<Ending> {
  const handoff = await findHandoff(service.db, { id: attempt.handoffId })
  const isOtherStore = (handoff?.shop ?? null) !== null && handoff?.shop !== callback.query.shop
  if (handoff === undefined || attempt.provider !== callback.provider || isOtherStore)
    return { handoff: undefined, reason: 'state_invalid' }
  const visit = { handoff, attempt: attempt.attempt }
  if (isSettledBy(handoff, attempt.attempt)) return { ...visit, reason: null }
  const now = await databaseNow(service.db)
  if (now.getTime() - attempt.issuedAt.getTime() > STATE_LIFE_MS)
    return isSameBrowser(service, attempt, callback.cookie)
      ? { ...visit, ...(await settleLate(service, attempt)) }
      : { ...visit, reason: 'state_expired' }
  const verifier = verifierOf(service, attempt, callback.cookie)
  if (verifier === undefined) return { ...visit, reason: 'state_invalid' }
  return { attempt: attempt.attempt, ...(await takeTurn(service, { ...callback, ...attempt, verifier })) }
}

/** True on a reload of the callback or a second click: the attempt that settled the hand-off sees its outcome again. */
const isSettledBy = (handoff: HandoffRow, attempt: string) =>
  handoff.status !== 'pending' && handoff.claim_attempts.includes(attempt)

/** The browser that started the consent returned too late: settle the hand-off, because this consent cannot succeed. */
async function settleLate(service: Service, attempt: Attempt): Promise<Ending> {
  const now = await databaseNow(service.db)
  const claim = { id: attempt.handoffId, claimId: uuidv7(), attempt: attempt.attempt, now }
  const claimed = await claimHandoff(service.db, claim)
  if (claimed !== undefined) return settle(service, claimed, claim.claimId, 'state_expired')
  const ending = await outcomeNow(service, attempt.handoffId)
  if (ending.handoff?.status === 'pending') return { ...ending, reason: 'state_expired' }
  const settledHere = ending.handoff !== undefined && isSettledBy(ending.handoff, attempt.attempt)
  return settledHere ? { ...ending, reason: null } : ending
}

type Visit = Callback & Attempt & { verifier: string }

/** Claims the hand-off, or waits briefly for its current holder and returns that result. */
async function takeTurn(service: Service, visit: Visit): Promise<Ending> {
  const waitUntil = performance.now() + WAIT_FOR_WINNER_MS
  for (;;) {
    const now = await databaseNow(service.db)
    const claimId = uuidv7()
    const claimed = await claimHandoff(service.db, {
      id: visit.handoffId,
      claimId,
      attempt: visit.attempt,
      now,
    })
    if (claimed !== undefined) return useClaim(service, visit, claimed, claimId)
    const handoff = await findHandoff(service.db, { id: visit.handoffId })
    if (handoff === undefined) return { handoff: undefined, reason: 'state_invalid' }
    if (isSettledBy(handoff, visit.attempt)) return { handoff, reason: null }
    const isBusy = handoff.claim_until !== null && handoff.claim_until > now
    if (handoff.claim_attempts.includes(visit.attempt) && !isBusy) return { handoff, reason: 'state_invalid' }
    const refusal = refusalOf(handoff, now)
    if (refusal !== 'busy') return { handoff, reason: refusal }
    if (performance.now() > waitUntil) return { handoff, reason: 'handoff_used' }
    await delay(POLL_MS)
  }
}

/** Why a link cannot be used now; null if the hand-off completed and its outcome is shown instead. */
export function refusalOf(
  handoff: HandoffRow,
  now: Date,
): 'busy' | 'handoff_expired' | 'handoff_used' | null {
  const { status, result } = currentStatus(handoff, now)
  if (result?.reason === 'handoff_expired') return 'handoff_expired'
  if (status === 'completed') return null
  return status === 'pending' ? 'busy' : 'handoff_used'
}

async function useClaim(
  service: Service,
  visit: Visit,
  handoff: HandoffRow,
  claimId: string,
): Promise<Ending> {
  try {
    return await useConsent(service, visit, handoff, claimId)
  } catch (error) {
    service.log.error('hand-off interrupted', {
      request_id: visit.requestId,
      handoff_id: handoff.id,
      provider: visit.provider,
      error,
    })
    await releaseClaim(service.db, { id: handoff.id, claimId }).catch(() => {})
    return { handoff, reason: 'internal_error' }
  }
}

async function useConsent(
  service: Service,
  visit: Visit,
  handoff: HandoffRow,
  claimId: string,
): Promise<Ending> {
  const fail = (reason: Reason) => settle(service, handoff, claimId, reason)
  if (!(await isReturnAllowed(service, handoff))) return fail('origin_not_allowed')
  const configured = service.providers.get(visit.provider)
  if (configured === undefined) return fail('provider_not_configured')
  const deposit = depositOf(service, handoff, visit.attempt)
  const meaning = configured.connector.oauth.readCallback(configured.app, visit.query, deposit)
  if (meaning.type === 'cancelled') return fail('user_cancelled')
  if (meaning.type === 'denied') return fail('provider_denied')
  if (meaning.type === 'error') return fail('provider_error')
  const consent = await exchangeCode(service, configured, { ...visit, deposit }, meaning.code)
  if ('reason' in consent) {
    const ending = await fail(consent.reason)
    if (consent.token !== null) await discardToken(service, configured, handoff, consent.token, null)
    return ending
  }
  return storeConsent(service, configured, handoff, claimId, consent.token, consent.accounts)
}

/** Checked again, because the governing app may have changed its registration since the hand-off was created. */
export async function isReturnAllowed(service: Service, handoff: HandoffRow): Promise<boolean> {
  if (handoff.return_url === null) return true
  const app = await findGoverningApp(service.db, { appId: handoff.governing_app_id })
  return allowedReturnUrl(handoff.return_url, app) !== undefined
}

type ConsentResult = { token: TokenSet; accounts: Account[] } | { token: TokenSet | null; reason: Reason }

async function exchangeCode(
  service: Service,
  configured: ConfiguredProvider,
  visit: Visit & { deposit: Deposit },
  code: string,
): Promise<ConsentResult> {
  const { connector, app } = configured
  const http = configured.http.within(PROVIDER_BUDGET_MS)
  let token: TokenSet | null = null
  try {
    token = await connector.oauth.exchange(http, app, {
      code,
      redirectUri: callbackUrl(service, visit.provider),
      codeVerifier: visit.verifier,
      query: visit.query,
      deposit: visit.deposit,
      now: service.clock.now(),
    })
    return { token, accounts: await connector.listAccounts(http, app, token) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    service.log.warn('consent refused by provider', {
      request_id: visit.requestId,
      provider: visit.provider,
      code: error.reason,
      error,
    })
    return { token, reason: reasonOf(error, token === null) }
  }
}

function reasonOf(error: ProviderError, isExchange: boolean): Reason {
  switch (error.reason) {
    case 'rate_limited':
    case 'unavailable':
    case 'malformed':
      return 'provider_error'
    case 'permission_missing':
      return 'provider_denied'
    default:
      return isExchange ? 'token_exchange_failed' : 'provider_error'
  }
}

export function callbackUrl(service: Service, provider: string): string {
  return `${service.config.BASE_URL}/connect/callback/${provider}`
}

async function storeConsent(
  service: Service,
  configured: ConfiguredProvider,
  handoff: HandoffRow,
  claimId: string,
  token: TokenSet,
  accounts: Account[],
): Promise<Ending> {
  const fail = async (reason: Reason) => {
    const ending = await settle(service, handoff, claimId, reason)
    await discardToken(service, configured, handoff, token, accounts)
    return ending
  }
  if (accounts.length === 0) return fail('no_candidates')
  let result: HandoffRow | 'elsewhere' | 'overtaken'
  try {
    result = await save(service, configured, handoff, claimId, token, accounts)
  } catch (error) {
    service.log.error('connection not stored', { handoff_id: handoff.id, error })
    return fail('connect_failed')
  }
  if (result === 'elsewhere') return fail('account_connected_elsewhere')
  if (result !== 'overtaken') return { handoff: result, reason: null }
  await discardToken(service, configured, handoff, token, accounts)
  return outcomeNow(service, handoff.id)
}

/** In one transaction: verifies the claim, stores the account or the selection, settles the hand-off and records the events. */
async function save(
  service: Service,
  configured: ConfiguredProvider,
  handoff: HandoffRow,
  claimId: string,
  token: TokenSet,
  accounts: Account[],
): Promise<HandoffRow | 'elsewhere' | 'overtaken'> {
  const { connector, provider } = configured
  const profileId = handoff.profile_id!
  const stored = storedProvider(provider)
  return service.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const locked = await lockClaimed(tx, { id: handoff.id, claimId, now })
    if (locked === undefined) return 'overtaken'
    if ((await findProfileRef(tx, { profileId })) === undefined) throw new Error('The profile was archived')
    const [account, ...otherAccounts] = accounts
    let result: HandoffResultValue
    let connectionId: string | undefined
    if (otherAccounts.length > 0) {
      const expiresAt = new Date(now.getTime() + SELECTION_LIFE_MS)
      await parkSelection(tx, service, {
        profileId,
        id: handoff.id,
        provider,
        token,
        accounts,
        expiresAt,
        now,
      })
      result = {
        provider,
        pending_selection: { candidate_count: accounts.length, expires_at: expiresAt.toISOString() },
      }
    } else {
      const apps = appsOf(handoff)
      const workspaceId = handoff.workspace_id
      connectionId = await connectAccount(tx, service, {
        profileId,
        workspaceId,
        connector: { provider: stored.provider, exclusiveAccount: connector.exclusiveAccount },
        subtype: stored.subtype,
        account: account!,
        token,
        apps,
        connectingApp: null,
        now,
      })
      if (connectionId === undefined) return 'elsewhere'
      if (connector.mail === undefined) await startFirstSync(tx, { profileId, connectionId, now })
      result = { provider, connection_id: connectionId }
    }
    const settled = await settleHandoff(tx, { id: handoff.id, claimId, status: 'completed', result, now })
    if (settled === undefined) throw new Error('The locked hand-off did not settle')
    if (connectionId !== undefined)
      await announceConnection(
        tx,
        'connection.connected',
        { profileId, connectionId, provider: stored.provider, status: 'connected', reason: null },
        now,
      )
    const data = { id: handoff.id, kind: handoff.kind, status: 'completed', result }
    const event = { connectionId: connectionId ?? null, occurredAt: now }
    await recordEvent(tx, handoffCompleted(profileId, data, event), now)
    return settled
  })
}

async function settle(
  service: Service,
  handoff: HandoffRow,
  claimId: string,
  reason: Reason,
): Promise<Ending> {
  const now = await databaseNow(service.db)
  const status = reason === 'user_cancelled' ? 'cancelled' : 'failed'
  const result = { provider: handoff.provider, reason }
  const settled = await settleHandoff(service.db, { id: handoff.id, claimId, status, result, now })
  return settled === undefined ? outcomeNow(service, handoff.id) : { handoff: settled, reason: null }
}

/** The outcome to show when this consent lost its claim or returned too late. */
async function outcomeNow(service: Service, handoffId: string): Promise<Ending> {
  const handoff = await findHandoff(service.db, { id: handoffId })
  if (handoff === undefined) return { handoff: undefined, reason: 'state_invalid' }
  const refusal = refusalOf(handoff, await databaseNow(service.db))
  return { handoff, reason: refusal === 'busy' ? 'handoff_used' : refusal }
}
