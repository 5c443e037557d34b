/** The person's sessions: device, network address, country if the operator has configured a database for it. */
import { sql } from 'kysely'
import type * as Parser from 'ua-parser-js'
import type { Service, UserContext } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { inTransaction } from '../db/database.ts'
import { loadOnFirstUse } from '../load-on-first-use.ts'
import { revokePersonalSessions } from './account-queries.ts'
import { forgetCredentials, SESSION_IDLE_MS } from './authenticate.ts'
import { forgetDevices } from './factors/queries.ts'

const parser = loadOnFirstUse<typeof Parser>('ua-parser-js')

type Row = {
  id: string
  created_at: Date
  last_used_at: Date
  user_agent: string | null
  address: string | null
  methods: string[] | null
  proved_at: Date | null
}

export async function listSessions({ service, db, caller }: UserContext) {
  const now = service.clock.machineNow()
  const { rows } = await sql<Row>`
    select c.id, c.created_at, coalesce(s.last_used_at, c.created_at) as last_used_at, d.user_agent, d.address,
      d.methods, d.proved_at
    from credentials c
    left join session_activity s on s.credential_id = c.id
    left join session_details d on d.credential_id = c.id
    where c.kind = 'session' and c.user_id = ${caller.userId} and c.revoked_at is null and c.expires_at > ${now}
      and coalesce(s.last_used_at, c.created_at) > ${new Date(now.getTime() - SESSION_IDLE_MS)}
    order by last_used_at desc, c.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    is_current: row.id === caller.credentialId,
    device: deviceOf(row.user_agent ?? ''),
    address: row.address === '' ? null : row.address,
    country: row.address ? countryOf(service, row.address) : null,
    methods: row.methods ?? [],
    created_at: row.created_at,
    last_used_at: row.last_used_at,
  }))
}

const countryOf = ({ geo }: Pick<Service, 'geo'>, address: string) => geo.countryOf(address)

/** Null if the client is no known browser. */
export function deviceOf(userAgent: string): string | null {
  const { browser, os } = new (parser().UAParser)(userAgent).getResult()
  const names = [browser.name, os.name].filter((name) => name !== undefined)
  return names.length === 0 ? null : names.join(' on ')
}

export async function endSession({ service, db, caller }: UserContext, sessionId: string): Promise<void> {
  const ended = await db
    .updateTable('credentials')
    .set({ revoked_at: service.clock.machineNow() })
    .where('id', '=', sessionId)
    .where('kind', '=', 'session')
    .where('user_id', '=', caller.userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (ended.numUpdatedRows === 0n) throw new ApiError('not_found', 'The account has no such session.')
  forgetCredentials(service)
}

/** All but the current one; remembered devices are forgotten as well. */
export async function endOtherSessions({ service, db, caller }: UserContext): Promise<void> {
  const { userId, credentialId } = caller
  const now = service.clock.machineNow()
  await inTransaction(db, async (tx) => {
    await revokePersonalSessions(tx, { userId, keepCredentialId: credentialId, now })
    await forgetDevices(tx, { userId })
  })
  forgetCredentials(service)
}
