/** Adding, renaming and removing a person's own second factors. Every change locks the person first. */
import { randomBytes } from 'node:crypto'
import type { UserContext } from '../../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { uuidv7 } from '../../contract/ids.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { insertRow, rowsWhere } from '../../db/rows.ts'
import { open, seal } from '../../secrets/seal.ts'
import { findPasswordHash, revokePersonalSessions } from '../account-queries.ts'
import { forgetCredentials } from '../authenticate.ts'
import { limitPasswordTries } from '../limits.ts'
import { markProved, type Opened } from '../session-details.ts'
import { lockUser, type UserRow } from '../user-queries.ts'
import { reportSecurityChange } from './changes.ts'
import { readRegistration, registrationOptions } from './passkeys.ts'
import { secretCell } from './proofs.ts'
import {
  deleteFactors,
  type FactorRow,
  forgetDevices,
  listConfirmedFactors,
  listFactors,
  listRequiringWorkspaces,
} from './queries.ts'
import { countRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'
import { matchStep, otpauthUrl, toBase32 } from './totp.ts'

const MAX_FACTORS = 10
const SECRET_BYTES = 20

export async function getFactors({ db, caller }: UserContext) {
  const { userId } = caller
  const devices = await rowsWhere(db, 'remembered_devices', { user_id: userId }).count()
  return {
    factors: await listConfirmedFactors(db, { userId }),
    recovery_codes_left: await countRecoveryCodes(db, { userId }),
    remembered_devices: devices,
    has_password: (await findPasswordHash(db, { userId })) !== null,
    required_by: await listRequiringWorkspaces(db, { userId }),
  }
}

/** Starts an enrolment; the factor counts once it is confirmed. An unfinished one of the same kind is replaced. */
export async function addFactor(context: UserContext, body: { kind: 'totp' | 'passkey'; name: string }) {
  const { service } = context
  const { userId } = context.caller
  const { kind, name } = body
  const now = service.clock.machineNow()
  return inTransaction(context.db, async (tx) => {
    const user = await lockPerson(tx, userId)
    await rowsWhere(tx, 'user_factors', { user_id: userId, kind, confirmed_at: null }).delete()
    const existing = await listConfirmedFactors(tx, { userId })
    if (existing.length >= MAX_FACTORS)
      throw new ApiError('invalid_state', `An account has at most ${MAX_FACTORS} second factors.`, {
        reason: 'too_many_factors',
      })
    if (kind === 'totp' && existing.some((factor) => factor.kind === 'totp')) throw appExists()
    const id = uuidv7(now)
    const row = { id, user_id: userId, kind, name, created_at: now }
    if (kind === 'totp') {
      const secret = randomBytes(SECRET_BYTES)
      await insertRow(tx, 'user_factors', { ...row, secret: seal(service.keyring, secretCell(id), secret) })
      const text = toBase32(secret)
      return { id, secret: text, otpauth_url: otpauthUrl(text, user.email), options: null }
    }
    const passkeys = existing.flatMap(({ credential_id, transports }) =>
      credential_id === null ? [] : [{ credential_id, transports }],
    )
    const options = await registrationOptions(service, user, passkeys)
    await insertRow(tx, 'user_factors', { ...row, challenge: options.challenge })
    return { id, secret: null, otpauth_url: null, options }
  })
}

/** With the first factor, other sessions end and recovery codes are created. */
export async function confirmFactor(
  context: UserContext,
  factorId: string,
  body: { code?: string | undefined; registration?: unknown },
) {
  const { service } = context
  const { userId, credentialId } = context.caller
  const now = service.clock.machineNow()
  await limitPasswordTries(context)
  const codes = await inTransaction(context.db, async (tx) => {
    await lockPerson(tx, userId)
    const factors = await listFactors(tx, { userId })
    const factor = factors.find(({ id }) => id === factorId)
    if (factor === undefined || factor.confirmed_at !== null) throw factorNotFound()
    const isFirst = factors.every(({ confirmed_at }) => confirmed_at === null)
    if (factor.kind === 'totp' && factors.some(({ kind, confirmed_at }) => kind === 'totp' && confirmed_at))
      throw appExists()
    const proved = await readEnrolment(context, factor, body)
    if (proved === undefined)
      throw new ApiError('forbidden', 'The code or the answer of the passkey is wrong; try again.', {
        reason: 'second_factor_wrong',
      })
    await rowsWhere(tx, 'user_factors', { id: factor.id }).update({
      ...proved,
      confirmed_at: now,
      last_used_at: now,
      challenge: null,
    })
    await markProved(tx, { credentialId, userId, now, opened: provedNow(context, now) })
    await revokePersonalSessions(tx, { userId, keepCredentialId: credentialId, now })
    await forgetDevices(tx, { userId })
    await reportSecurityChange(tx, context, { userId, what: 'factor_added', name: factor.name })
    return isFirst ? renewRecoveryCodes(service, tx, { userId, now }) : null
  })
  forgetCredentials(service)
  return { recovery_codes: codes }
}

async function readEnrolment(
  { service }: UserContext,
  factor: FactorRow,
  body: { code?: string | undefined; registration?: unknown },
) {
  const now = service.clock.machineNow()
  if (factor.kind === 'totp') {
    const secret = open(service.keyring, secretCell(factor.id), factor.secret!)
    const step = matchStep(secret, body.code ?? '', { now, lastStep: 0 })
    return step === undefined ? undefined : { last_step: step }
  }
  if (factor.challenge === null) return undefined
  const passkey = await readRegistration(service, {
    response: body.registration,
    challenge: factor.challenge,
  })
  if (passkey === undefined) return undefined
  const taken = await rowsWhere(service.db, 'user_factors', { credential_id: passkey.credential_id }).exists()
  return taken ? undefined : { ...passkey, transports: [...passkey.transports] }
}

export async function renameFactor(
  { db, caller }: UserContext,
  factorId: string,
  { name }: { name: string },
): Promise<void> {
  const renamed = await rowsWhere(db, 'user_factors', { id: factorId, user_id: caller.userId }).update({
    name,
  })
  if (renamed === 0) throw factorNotFound()
}

export async function deleteFactor(context: UserContext, factorId: string): Promise<void> {
  const { userId } = context.caller
  await inTransaction(context.db, async (tx) => {
    await lockPerson(tx, userId)
    const factors = await listConfirmedFactors(tx, { userId })
    const factor = factors.find(({ id }) => id === factorId)
    if (factor === undefined) throw factorNotFound()
    const isLast = factors.length === 1
    if (isLast) await requireNoNeed(tx, userId)
    if (factor.kind === 'passkey' && (await findPasswordHash(tx, { userId })) === null) {
      const passkeys = factors.filter(({ kind }) => kind === 'passkey')
      if (passkeys.length === 1)
        throw new ApiError(
          'invalid_state',
          'Without a password, the account needs this passkey to sign in.',
          {
            reason: 'last_passkey',
          },
        )
    }
    if (isLast) await deleteFactors(tx, { userId })
    else await rowsWhere(tx, 'user_factors', { id: factor.id }).delete()
    await forgetDevices(tx, { userId })
    await reportSecurityChange(tx, context, { userId, what: 'factor_removed', name: factor.name })
  })
}

async function requireNoNeed(tx: Tx, userId: string): Promise<void> {
  const [workspace] = await listRequiringWorkspaces(tx, { userId })
  if (workspace === undefined) return
  throw new ApiError(
    'invalid_state',
    `The workspace ${workspace.name} requires a second factor; add another first.`,
    {
      reason: 'second_factor_required',
    },
  )
}

export async function createRecoveryCodes(context: UserContext) {
  const { service } = context
  const { userId } = context.caller
  return inTransaction(context.db, async (tx) => {
    await lockPerson(tx, userId)
    if ((await listConfirmedFactors(tx, { userId })).length === 0)
      throw new ApiError('invalid_state', 'Add a second factor first.', { reason: 'no_second_factor' })
    await reportSecurityChange(tx, context, { userId, what: 'recovery_codes_renewed' })
    return { codes: await renewRecoveryCodes(service, tx, { userId, now: service.clock.machineNow() }) }
  })
}

/** From then on a passkey signs in alone. */
export async function removePassword(context: UserContext): Promise<void> {
  const { userId, credentialId } = context.caller
  const now = context.service.clock.machineNow()
  await inTransaction(context.db, async (tx) => {
    await lockPerson(tx, userId)
    const factors = await listConfirmedFactors(tx, { userId })
    if (!factors.some(({ kind }) => kind === 'passkey'))
      throw new ApiError('invalid_state', 'Add a passkey first: without a password, it is how you sign in.', {
        reason: 'no_passkey',
      })
    await rowsWhere(tx, 'users', { id: userId }).update({ password_hash: null })
    await revokePersonalSessions(tx, { userId, keepCredentialId: credentialId, now })
    await forgetDevices(tx, { userId })
    await reportSecurityChange(tx, context, { userId, what: 'password_removed' })
  })
  forgetCredentials(context.service)
}

export const forgetRememberedDevices = ({ db, caller }: UserContext) =>
  inTransaction(db, (tx) => forgetDevices(tx, { userId: caller.userId }))

export const provedNow = (context: UserContext, now: Date, secondFactor = true): Opened => ({
  methods: [],
  secondFactor,
  provedAt: now,
  ssoWorkspaceId: null,
  userAgent: context.userAgent,
  ip: context.ip,
})

async function lockPerson(tx: Tx, userId: string): Promise<UserRow> {
  const user = await lockUser(tx, { userId })
  if (user === undefined) throw factorNotFound()
  return user
}

const factorNotFound = () => new ApiError('not_found', 'The account has no such second factor.')
const appExists = () =>
  new ApiError('invalid_state', 'The account already has an authenticator app; remove it first.', {
    reason: 'app_exists',
  })
