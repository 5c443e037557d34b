/** On an empty embedded database: a first person, workspace, profile and key, told once in the banner. */
import { randomInt } from 'node:crypto'
import type { Service } from './context.ts'
import { scopes } from './contract/access.ts'
import { uuidv7 } from './contract/ids.ts'
import { mintApiKey } from './features/api-keys/mint.ts'
import { insertProfile } from './features/profiles/operations.ts'
import { insertWorkspace } from './features/workspaces/operations.ts'
import { hashPassword } from './secrets/passwords.ts'

export type FirstRun = { email: string; password: string; apiKey: string; profileId: string }

export const FIRST_EMAIL = 'owner@example.com'

/** Undefined where somebody has an account already. */
export async function prepareFirstRun(service: Service): Promise<FirstRun | undefined> {
  const password = readablePassword()
  const passwordHash = await hashPassword(password)
  return service.db.transaction().execute(async (tx) => {
    if ((await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined)
      return undefined
    const now = service.clock.now()
    const ownerId = uuidv7(now)
    await tx
      .insertInto('users')
      .values({
        id: ownerId,
        email: FIRST_EMAIL,
        email_lower: FIRST_EMAIL,
        name: 'Owner',
        password_hash: passwordHash,
        created_at: now,
      })
      .execute()
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const workspaceId = await insertWorkspace(
      tx,
      { now },
      { name: 'My workspace', timezone, plan: 'agency', ownerId, appId: null },
    )
    const profile = await insertProfile(tx, { now }, { workspaceId, name: 'My business', appId: null })
    const { key } = await mintApiKey(service, tx, {
      profileId: profile.id,
      name: 'First key',
      scopes: scopes.filter((scope) => scope !== 'workspaces:write'),
      now,
    })
    return { email: FIRST_EMAIL, password, apiKey: key, profileId: profile.id }
  })
}

/** 25 letters and digits that nobody mixes up, in groups that can be typed. */
function readablePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}

export function firstRunLines(baseUrl: string, first: FirstRun | undefined): string[] {
  if (first === undefined)
    return [
      `Sign in at ${baseUrl} with your account; the first one is ${FIRST_EMAIL}.`,
      'A new API key: POST /api/v1/workspaces/{workspaceId}/api-keys, or the console under API keys.',
    ]
  return [
    `Sign in: ${first.email}  password ${first.password}`,
    `API key: ${first.apiKey}`,
    'Both are shown this once. Try:',
    `  curl -H 'Authorization: Bearer ${first.apiKey}' ${baseUrl}/api/v1/connections`,
  ]
}
