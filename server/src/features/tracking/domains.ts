/** First-party tracking domains: a CNAME of the business's own site that leads to the service. */
import type { Service } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'

export type DomainRow = {
  id: string
  domain: string
  status: 'pending' | 'verified' | 'failed'
  detail: string | null
  created_at: Date
  checked_at: Date | null
}

const columns = ['id', 'domain', 'status', 'detail', 'created_at', 'checked_at'] as const

export async function list(db: Db | Tx, profileId: string): Promise<DomainRow[]> {
  const rows = await db
    .selectFrom('tracking_domains')
    .select(columns)
    .where('profile_id', '=', profileId)
    .orderBy('created_at')
    .execute()
  return rows as DomainRow[]
}

export async function find(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<DomainRow | undefined> {
  return (await list(db, params.profileId)).find((row) => row.id === params.id)
}

export async function insert(
  db: Db | Tx,
  params: { profileId: string; id: string; domain: string; now: Date },
): Promise<DomainRow> {
  const row = await db
    .insertInto('tracking_domains')
    .values({
      profile_id: params.profileId,
      id: params.id,
      domain: params.domain,
      status: 'pending',
      created_at: params.now,
    })
    .onConflict((conflict) => conflict.columns(['profile_id', 'domain']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  if (row === undefined)
    throw new ApiError('invalid_state', 'This domain is registered already.', { reason: 'domain_registered' })
  return row as DomainRow
}

export async function remove(db: Db | Tx, params: { profileId: string; id: string }): Promise<void> {
  const row = await db
    .deleteFrom('tracking_domains')
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw new ApiError('not_found', 'No such tracking domain.')
}

export function cnameTarget(service: Service): string {
  return new URL(service.config.BASE_URL).hostname
}

export type Verdict = { status: 'verified' | 'failed'; detail: string | null }

export async function check(service: Service, domain: string): Promise<Verdict> {
  const target = cnameTarget(service)
  try {
    const found = (await service.dns.cnames(domain)).map((name) => name.replace(/\.$/, '').toLowerCase())
    if (found.includes(target)) return { status: 'verified', detail: null }
    const said = found.length === 0 ? 'it has no CNAME record' : `its CNAME is ${found.join(', ')}`
    return { status: 'failed', detail: `Expected a CNAME to ${target}, but ${said}.` }
  } catch {
    return { status: 'failed', detail: 'The domain could not be looked up; try again later.' }
  }
}

export async function saveVerdict(
  db: Db | Tx,
  params: Verdict & { profileId: string; id: string; now: Date },
): Promise<DomainRow> {
  const row = await db
    .updateTable('tracking_domains')
    .set({ status: params.status, detail: params.detail, checked_at: params.now })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returning(columns)
    .executeTakeFirst()
  if (row === undefined) throw new ApiError('not_found', 'No such tracking domain.')
  return row as DomainRow
}
