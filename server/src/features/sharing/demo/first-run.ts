/** Fills an empty embedded database with a person, workspace, profile and key. The banner prints them until the first sign-in. */

import { FIRST_EMAIL } from '../../../config.ts'
import type { Service } from '../../../context.ts'
import { findFirstSignIn, saveFirstSignIn } from '../../../platform/access/first-sign-in.ts'
import { scopes } from '../../../platform/contract/access.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { insertRow } from '../../../platform/db/rows.ts'
import { generatePassword, hashPassword } from '../../../platform/secrets/passwords.ts'
import { mintApiKey } from '../../account/api-keys/mint.ts'
import { insertProfile } from '../../account/profiles/operations.ts'
import { insertWorkspace } from '../../account/workspaces/operations.ts'
import { createDemo } from './operations.ts'

export type FirstRun = {
  email: string
  password: string
  apiKey: string
  profileId: string
  /** The demo, in a separate workspace, so that the sandbox accounts stay available to the first workspace. */
  demo: { profileId: string; apiKey: string } | null
}

/** `isNew` is false if an earlier start created it and no one has signed in since. */
type PreparedFirstRun = FirstRun & { isNew: boolean }

/** Credentials to print: created on an empty database, repeated until the first sign-in; undefined afterwards. */
export async function prepareFirstRun(service: Service): Promise<PreparedFirstRun | undefined> {
  const created = await createFirstRun(service)
  if (created !== undefined) return { ...created, isNew: true }
  const stored = await findFirstSignIn(service)
  return stored === undefined ? undefined : { ...(JSON.parse(stored) as FirstRun), isNew: false }
}

/** Undefined if an account exists already. */
async function createFirstRun(service: Service): Promise<FirstRun | undefined> {
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  return service.db.transaction().execute(async (tx) => {
    if ((await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined)
      return undefined
    const now = service.clock.now()
    const ownerId = uuidv7(now)
    await insertRow(tx, 'users', {
      id: ownerId,
      email: FIRST_EMAIL,
      email_lower: FIRST_EMAIL,
      name: 'Owner',
      password_hash: passwordHash,
      // No verification needed: the address belongs to the person who started the service.
      email_verified_at: now,
      created_at: now,
    })
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const workspaceId = await insertWorkspace(
      tx,
      { now },
      { name: 'My workspace', timezone, plan: 'agency', ownerId, appId: null },
    )
    const profile = await insertProfile(tx, { now }, { workspaceId, name: 'My business', appId: null })
    const key = await mintKey(service, tx, profile.id, now)
    const demo = service.config.SANDBOX ? await prepareDemo(service, tx, { ownerId, timezone, now }) : null
    const first = { email: FIRST_EMAIL, password, apiKey: key, profileId: profile.id, demo }
    await saveFirstSignIn(service, tx, { userId: ownerId, text: JSON.stringify(first) })
    return first
  })
}

async function prepareDemo(
  service: Service,
  tx: Tx,
  parts: { ownerId: string; timezone: string; now: Date },
): Promise<FirstRun['demo']> {
  const { ownerId, timezone, now } = parts
  const workspace = { name: 'Demo', timezone, plan: 'starter' as const, ownerId, appId: null }
  const { profileId } = await createDemo(tx, { now }, await insertWorkspace(tx, { now }, workspace))
  return { profileId, apiKey: await mintKey(service, tx, profileId, now) }
}

async function mintKey(service: Service, tx: Tx, profileId: string, now: Date): Promise<string> {
  const keyScopes = scopes.filter((scope) => scope !== 'workspaces:write')
  return (await mintApiKey(service, tx, { profileId, name: 'First key', scopes: keyScopes, now })).key
}

export function firstRunLines(baseUrl: string, first: FirstRun | undefined): string[] {
  if (first === undefined)
    return [
      `Sign in at ${baseUrl} with your account; the first one is ${FIRST_EMAIL}. Forgotten: npm run reset-password -- ${FIRST_EMAIL}`,
      'A new API key: POST /api/v1/workspaces/{workspaceId}/api-keys, or the console under Developers.',
    ]
  return [
    `Sign in: ${first.email}  password ${first.password}`,
    `API key of your profile: ${first.apiKey}`,
    ...(first.demo === null ? [] : [`API key of the demo:     ${first.demo.apiKey}`]),
    'They are shown until you have signed in. Try:',
    `  curl -H 'Authorization: Bearer ${first.demo?.apiKey ?? first.apiKey}' ${baseUrl}/api/v1/connections`,
  ]
}
