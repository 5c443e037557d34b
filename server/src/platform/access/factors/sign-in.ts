/** From the first proof (password, mailed link, passkey, company) to a session, with the second factor in between. */
import type { AnyContext } from '../../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { limitSecondFactors, limitSecondSteps } from '../limits.ts'
import { openSession, type SignInMethod } from '../session-details.ts'
import { findUserById, type UserRow } from '../user-queries.ts'
import { type Challenge, type Minted, mintChallenge, spendChallenge, tryChallenge } from './challenges.ts'
import { reportSecurityChange } from './changes.ts'
import { assertionOptions } from './passkeys.ts'
import { checkProof, type Proof, wrongProof } from './proofs.ts'
import { findUserOfPasskey, listConfirmedFactors } from './queries.ts'
import { isRemembered, rememberDevice } from './remembered.ts'

export type Session = { user: UserRow; token: string; expiresAt: Date; cookies?: readonly string[] }
export type Pending = {
  user: UserRow
  pending: Minted & { kinds: ('totp' | 'passkey' | 'recovery_code')[]; passkey: unknown }
}
export type SignInResult = Session | Pending

/** Cookies that the browser sent. */
export type Browser = { remembered?: string | undefined; challenge?: string | undefined }

/** Opens the session, or asks for the second factor if the account has one. */
export async function completeSignIn(
  context: AnyContext,
  db: Db | Tx,
  first: {
    user: UserRow
    method: Extract<SignInMethod, 'password' | 'mail_link' | 'company'>
    remembered?: string | undefined
    /** The company's provider has checked a second factor. */
    secondFactor?: boolean
    provedAt?: Date | null
    ssoWorkspaceId?: string
  },
): Promise<SignInResult> {
  const { service } = context
  const { user, method, ssoWorkspaceId = null } = first
  const now = service.clock.machineNow()
  const factors = await listConfirmedFactors(db, { userId: user.id })
  const from = { userAgent: context.userAgent, ip: context.ip, ssoWorkspaceId }
  const secondFactor = first.secondFactor ?? false
  if (factors.length === 0 || secondFactor) {
    const provedAt = first.provedAt === undefined ? now : first.provedAt
    const opened = { ...from, methods: [method], secondFactor, provedAt }
    return { user, ...(await openSession(service, db, user.id, opened)) }
  }
  if (await isRemembered(service, db, { userId: user.id, token: first.remembered })) {
    const methods = [method, 'remembered_device'] as const
    const opened = { ...from, methods, secondFactor: true, provedAt: null }
    return { user, ...(await openSession(service, db, user.id, opened)) }
  }
  const kinds = [...new Set(factors.map(({ kind }) => kind))]
  const passkeys = factors.filter(({ kind }) => kind === 'passkey')
  const options = await assertionOptions(
    service,
    passkeys.map(({ credential_id, transports }) => ({ credential_id: credential_id!, transports })),
  )
  const minted = await mintChallenge(context, db, {
    purpose: 'second_factor',
    userId: user.id,
    passkeyChallenge: options.challenge,
    methods: [method],
    ssoWorkspaceId,
  })
  return {
    user,
    pending: {
      ...minted,
      kinds: [...kinds, 'recovery_code'],
      passkey: passkeys.length === 0 ? null : options,
    },
  }
}

export async function finishSignIn(
  context: AnyContext,
  body: Proof & { challenge: string; remember_device?: boolean | undefined },
  browser: Browser & { device?: string | undefined },
): Promise<Session> {
  const { service } = context
  await limitSecondSteps(context)
  const challenge = await tryChallenge(service, {
    token: body.challenge,
    purpose: 'second_factor',
    browser: browser.challenge,
  })
  const user =
    challenge?.user_id == null ? undefined : await findUserById(service.db, { userId: challenge.user_id })
  if (challenge === undefined || user === undefined) throw wrongProof()
  await limitSecondFactors(context, user, browser.device)
  const session = await inTransaction(context.db, async (tx): Promise<Session | undefined> => {
    const by = await checkProof(context, tx, {
      userId: user.id,
      proof: body,
      passkeyChallenge: challenge.passkey_challenge,
    })
    if (by === undefined) return undefined
    if (!(await spendChallenge(tx, challenge))) throw wrongProof()
    const cookies = []
    if (body.remember_device === true) {
      cookies.push(await rememberDevice(context, tx, { userId: user.id }))
      await reportSecurityChange(tx, context, { userId: user.id, what: 'device_remembered' })
    }
    return { ...(await openProved(context, tx, user, challenge, by)), cookies }
  })
  if (session !== undefined) return session
  if (challenge.isLastTry)
    await inTransaction(service.db, (tx) =>
      reportSecurityChange(tx, context, { userId: user.id, what: 'codes_guessed' }),
    )
  throw wrongProof()
}

export async function offerPasskeySignIn(context: AnyContext) {
  await limitSecondSteps(context)
  const options = await assertionOptions(context.service, [])
  const passkeyChallenge = options.challenge
  const minted = await mintChallenge(context, context.db, {
    purpose: 'passkey',
    userId: null,
    passkeyChallenge,
  })
  return { ...minted, options }
}

/** A passkey that verified the person by PIN or fingerprint is both factors. */
export async function signInByPasskey(
  context: AnyContext,
  body: { challenge: string; assertion: { id: string } },
  browser: Browser,
): Promise<Session> {
  const { service } = context
  await limitSecondSteps(context)
  const challenge = await tryChallenge(service, {
    token: body.challenge,
    purpose: 'passkey',
    browser: browser.challenge,
  })
  const userId = await findUserOfPasskey(service.db, { credentialId: body.assertion.id })
  const user = userId === undefined ? undefined : await findUserById(service.db, { userId })
  if (challenge === undefined || user === undefined) throw wrongPasskey()
  return inTransaction(context.db, async (tx) => {
    const by = await checkProof(context, tx, {
      userId: user.id,
      proof: { assertion: body.assertion },
      passkeyChallenge: challenge.passkey_challenge,
      mustVerifyPerson: true,
    })
    if (by === undefined || !(await spendChallenge(tx, challenge))) throw wrongPasskey()
    return openProved(context, tx, user, challenge, by)
  })
}

async function openProved(
  context: AnyContext,
  tx: Tx,
  user: UserRow,
  challenge: Challenge,
  by: SignInMethod,
): Promise<Session> {
  const opened = {
    methods: [...challenge.methods, by],
    secondFactor: true,
    provedAt: context.service.clock.machineNow(),
    ssoWorkspaceId: challenge.sso_workspace_id,
    userAgent: context.userAgent,
    ip: context.ip,
  }
  return { user, ...(await openSession(context.service, tx, user.id, opened)) }
}

const wrongPasskey = () =>
  new ApiError('unauthorized', 'The passkey is unknown here, or its answer is wrong or used.')
