/** Test data, created through the API if it has a route, so that it is realistic. */
import { randomBytes } from 'node:crypto'
import { mintApiKey } from '../src/features/account/api-keys/mint.ts'
import { type GrantedKeys, grantToApp } from '../src/features/account/apps/grants.ts'
import { planGrants } from '../src/features/account/apps/rules.ts'
import { createProfile } from '../src/features/account/profiles/contract.ts'
import { createWorkspace } from '../src/features/account/workspaces/contract.ts'
import { authenticateBearer, forgetCredentials } from '../src/platform/access/authenticate.ts'
import { openSession } from '../src/platform/access/session-details.ts'
import type { Grant, Scope } from '../src/platform/contract/access.ts'
import { ClientError } from '../src/platform/contract/client.ts'
import type { ErrorBody } from '../src/platform/contract/errors.ts'
import { uuidv7 } from '../src/platform/contract/ids.ts'
import { hashPassword } from '../src/platform/secrets/passwords.ts'
import { lookupHash, mintToken } from '../src/platform/secrets/tokens.ts'
import { createCheckedClient, type TestClient } from './answers.ts'
import { startTestApp, type TestApp } from './app.ts'

export const PASSWORD = 'correct horse battery'

export type Person = { id: string; email: string; token: string; call: TestClient }

let passwordHash: Promise<string> | undefined

/** A person who signed up and verified the address. The password hash is computed once, because each takes 30 ms of CPU. */
export async function makePerson(app: TestApp, name = 'Person'): Promise<Person> {
  const email = `${name.toLowerCase().replace(/\W+/g, '-')}-${randomBytes(6).toString('hex')}@example.com`
  const { db, clock } = app.service
  const now = clock.now()
  const id = uuidv7(now)
  passwordHash ??= hashPassword(PASSWORD)
  const password_hash = await passwordHash
  await db
    .insertInto('users')
    .values({ id, email, email_lower: email, name, password_hash, email_verified_at: now, created_at: now })
    .execute()
  const { token } = await openSession(app.service, db, id)
  return { id, email, token, call: app.as(token) }
}

/** The session of a sign-in that needed no second factor. */
export function sessionOf<T extends object>(data: T): Extract<T, { token: string }> {
  if ('token' in data) return data as Extract<T, { token: string }>
  throw new Error('The account has a second factor')
}

export async function makeWorkspace(
  owner: Person,
  plan: 'starter' | 'growth' | 'agency' = 'growth',
): Promise<string> {
  const name = `Workspace ${randomBytes(6).toString('hex')}`
  const { data } = await owner.call(createWorkspace, { body: { name, timezone: 'Europe/Madrid', plan } })
  return data.workspace_id
}

export async function makeProfile(
  owner: Person,
  workspaceId: string,
  fields: { name?: string; timezone?: string; currency?: string } = {},
): Promise<string> {
  const { data } = await owner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Shop', timezone: 'Europe/Madrid', currency: 'EUR', ...fields },
  })
  return data.profile_id
}

export async function makeKey(app: TestApp, profileId: string, scopes: readonly Scope[]): Promise<string> {
  const now = app.service.clock.now()
  const { key } = await mintApiKey(app.service, app.service.db, { profileId, name: 'Test', scopes, now })
  return key
}

export type OwnProfile = {
  owner: Person
  workspaceId: string
  profileId: string
  key: string
  /** With the key. */
  call: TestClient
}

/** A profile in a separate workspace, with a key. */
export async function makeOwnProfile(
  app: TestApp,
  scopes: readonly Scope[] = [],
  fields: Parameters<typeof makeProfile>[2] = {},
): Promise<OwnProfile> {
  const owner = await makePerson(app)
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId, fields)
  const key = await makeKey(app, profileId, scopes)
  return { owner, workspaceId, profileId, key, call: app.as(key) }
}

/** The setup of most test files: a service with one profile and a key. */
export async function startTestProfile(
  scopes: readonly Scope[] = [],
  env: Record<string, string> = {},
): Promise<OwnProfile & { app: TestApp }> {
  const app = await startTestApp(env)
  return { app, ...(await makeOwnProfile(app, scopes)) }
}

export type PartnerApp = { id: string; clientId: string; secret: string; basic: string; call: TestClient }

/** With an accepted data-processing agreement. */
export async function makeApp(
  app: TestApp,
  workspaceId: string,
  allowed: readonly (Grant | Scope)[] = ['attribution', 'analytics', 'analytics_pii', 'connections'],
): Promise<PartnerApp> {
  const now = app.service.clock.now()
  const id = uuidv7(now)
  const clientId = `app_${randomBytes(8).toString('hex')}`
  await app.service.db
    .insertInto('apps')
    .values({
      id,
      workspace_id: workspaceId,
      client_id: clientId,
      name: 'Partner',
      redirect_uris: ['https://partner.example/callback'],
      allowed_return_origins: [],
      allowed_scopes: [...allowed],
      dpa_accepted: true,
      created_at: now,
      updated_at: now,
    })
    .execute()
  const minted = mintToken('app_secret')
  await app.service.db
    .insertInto('credentials')
    .values({
      id: uuidv7(now),
      kind: 'app_secret',
      lookup_hash: lookupHash(app.service.keyring, minted.token),
      hint: minted.hint,
      app_id: id,
      created_at: now,
    })
    .execute()
  const basic = `Basic ${Buffer.from(`${clientId}:${minted.token}`).toString('base64')}`
  const headers = { authorization: basic }
  const call = createCheckedClient({ baseUrl: app.baseUrl, fetch: app.fetch, headers })
  return { id, clientId, secret: minted.token, basic, call }
}

/** Makes the app the creator of the profile, with keys, as if the app had provisioned it. */
export async function provision(
  app: TestApp,
  profileId: string,
  partner: Pick<PartnerApp, 'id'>,
  requested: readonly (Grant | Scope)[] = ['attribution', 'connections'],
): Promise<GrantedKeys> {
  const planned = planGrants(requested, requested)
  if (!planned.ok) throw new Error(`No plan for ${requested.join(', ')}`)
  const { service } = app
  return service.db.transaction().execute(async (tx) => {
    const keys = await grantToApp(service, tx, {
      app: { id: partner.id, name: 'Partner' },
      profileId,
      userId: null,
      plan: planned.plan,
      now: service.clock.now(),
    })
    await tx
      .updateTable('profiles')
      .set({ provisioned_by_app_id: partner.id, governing_authorization_id: keys.authorizationIds[0]! })
      .where('id', '=', profileId)
      .execute()
    return keys
  })
}

/** Status, code and reason of a refusal; fails if the call succeeds. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ status: number; code: string } & Partial<ErrorBody['error']>> {
  const outcome = await call.then(
    () => 'succeeded',
    (error: unknown) => error,
  )
  if (!(outcome instanceof ClientError)) throw new Error(`Expected a refusal, got ${String(outcome)}`)
  return { ...outcome.body.error, status: outcome.status }
}

/** Runs `work` with the machine's clock, which no sandbox moves, advanced by this time. */
export async function later<T>(app: TestApp, ms: number, work: () => Promise<T>): Promise<T> {
  const { clock } = app.service
  const { machineNow } = clock
  clock.machineNow = () => new Date(machineNow().getTime() + ms)
  forgetCredentials(app.service)
  try {
    return await work()
  } finally {
    clock.machineNow = machineNow
    forgetCredentials(app.service)
  }
}

/** Whether the credential is valid now, regardless of the process's cache. */
export async function isAccepted(app: TestApp, token: string): Promise<boolean> {
  forgetCredentials(app.service)
  return (await authenticateBearer(app.service, token)) !== undefined
}
