/** Devices that need no second factor at sign-in for 30 days. Password, account and cookie must all be right. */
import type { AnyContext, Service } from '../../../context.ts'
import { DAY_MS } from '../../contract/dates.ts'
import { uuidv7 } from '../../contract/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.ts'
import { cookieName, setCookie } from '../../http/base-path.ts'
import { lookupHash, lookupHashes, randomToken } from '../../secrets/tokens.ts'

const COOKIE = 'remembered'
const LIFETIME_MS = 30 * DAY_MS

export const rememberedCookieName = ({ config }: Pick<Service, 'config'>): string =>
  cookieName(config, COOKIE)

export async function rememberDevice(
  context: Pick<AnyContext, 'service' | 'userAgent'>,
  tx: Tx,
  { userId }: { userId: string },
): Promise<string> {
  const { service } = context
  const now = service.clock.machineNow()
  const token = randomToken()
  await insertRow(tx, 'remembered_devices', {
    id: uuidv7(now),
    user_id: userId,
    token_hash: lookupHash(service.keyring, token),
    user_agent: context.userAgent.slice(0, 400),
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  })
  return setCookie(service.config, { name: COOKIE, value: token, seconds: LIFETIME_MS / 1000 })
}

export async function isRemembered(
  service: Service,
  db: Db | Tx,
  params: { userId: string; token: string | undefined },
): Promise<boolean> {
  if (params.token === undefined) return false
  const row = await db
    .selectFrom('remembered_devices')
    .select('id')
    .where('token_hash', 'in', lookupHashes(service.keyring, params.token))
    .where('user_id', '=', params.userId)
    .where('expires_at', '>', service.clock.machineNow())
    .executeTakeFirst()
  return row !== undefined
}
