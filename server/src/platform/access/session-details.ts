/** How sessions were opened, and whether their person proved it again recently. */
import type { AnyContext, Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { uuidv7 } from '../contract/ids.ts'
import type { Db, Tx } from '../db/database.ts'
import { insertRow, rowsWhere } from '../db/rows.ts'
import { lookupHash, mintToken } from '../secrets/tokens.ts'
import { insertSession } from './account-queries.ts'
import { SESSION_ABSOLUTE_MS } from './rules.ts'

export type SignInMethod =
  | 'password'
  | 'mail_link'
  | 'totp'
  | 'passkey'
  | 'recovery_code'
  | 'remembered_device'
  | 'company'

export type Opened = {
  methods: readonly SignInMethod[]
  /** True if a second factor, or a passkey that verified the person, was shown; or the device is remembered. */
  secondFactor: boolean
  /** Null if only a remembered device stood in for the second factor. */
  provedAt: Date | null
  ssoWorkspaceId: string | null
  userAgent: string
  ip: string
}

/** Sessions of commands, tests and first sign-ups, of accounts without a second factor. */
export const withPassword = (now: Date, from?: Pick<AnyContext, 'userAgent' | 'ip'>): Opened => ({
  methods: ['password'],
  secondFactor: false,
  provedAt: now,
  ssoWorkspaceId: null,
  userAgent: from?.userAgent ?? '',
  ip: from?.ip ?? '',
})

const MAX_AGENT = 400

export async function insertSessionDetails(
  db: Db | Tx,
  session: { credentialId: string; userId: string; opened: Opened; now: Date },
): Promise<void> {
  const { opened } = session
  await insertRow(db, 'session_details', {
    credential_id: session.credentialId,
    user_id: session.userId,
    methods: [...opened.methods],
    second_factor: opened.secondFactor,
    proved_at: opened.provedAt,
    sso_workspace_id: opened.ssoWorkspaceId,
    user_agent: opened.userAgent.slice(0, MAX_AGENT),
    address: opened.ip,
    created_at: session.now,
  })
}

/** A session that an older process opened has no details yet. */
export async function markProved(
  tx: Tx,
  session: { credentialId: string; userId: string; opened: Opened; now: Date },
): Promise<void> {
  const { opened } = session
  const updated = await rowsWhere(tx, 'session_details', { credential_id: session.credentialId }).update({
    proved_at: opened.provedAt,
    ...(opened.secondFactor && { second_factor: true }),
  })
  if (updated === 0) await insertSessionDetails(tx, session)
}

export async function openSession(service: Service, db: Db | Tx, userId: string, how?: Opened) {
  const now = service.clock.machineNow()
  const minted = mintToken('session')
  const expiresAt = new Date(now.getTime() + SESSION_ABSOLUTE_MS)
  const id = uuidv7()
  await insertSession(db, {
    id,
    userId,
    lookupHash: lookupHash(service.keyring, minted.token),
    hint: minted.hint,
    now,
    expiresAt,
  })
  await insertSessionDetails(db, { credentialId: id, userId, opened: how ?? withPassword(now), now })
  return { token: minted.token, expiresAt }
}

const FRESH_MS = 10 * 60_000

/** Reads the database, not the cached credential: the person may have proved it a moment ago in another process. */
export async function requireFreshProof(service: Service, credentialId: string): Promise<void> {
  const row = await rowsWhere(service.db, 'session_details', { credential_id: credentialId }).find([
    'proved_at',
  ])
  const provedAt = row?.proved_at ?? null
  const age =
    provedAt === null ? Number.POSITIVE_INFINITY : service.clock.machineNow().getTime() - provedAt.getTime()
  if (age <= FRESH_MS) return
  throw reauthenticationRequired()
}

export const reauthenticationRequired = () =>
  new ApiError(
    'forbidden',
    'Prove again who you are: this needs a password or second factor entered in the last ten minutes.',
    { reason: 'reauthentication_required', hint: 'POST /auth/reauthenticate, then retry.' },
  )
