/** Touches that a customer's conversion may credit, in journey order and without echoes. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { membersOf } from '../../facts/identity/members.ts'
import type { DescribedTouch } from './describe-touches.ts'
import { dropEchoes } from './incremental/journeys.ts'
import { supersededIdentifiers } from './superseded.ts'

export type CandidateTouch = DescribedTouch & {
  customer_id: string
  identifier_kind: number
  recorded_at: Date
  click_id_kind: string | null
  click_id: string | null
}

/** `i` is the identifier, `t` its touch. */
const columns: RawBuilder<unknown> = sql`
  t.id, i.customer_id, i.kind as identifier_kind, t.occurred_at, t.recorded_at, t.channel, t.origin, t.platform,
  t.is_direct, t.campaign_external_id, t.ad_set_external_id, t.ad_external_id, t.reported_at, t.click_id_kind, t.click_id,
  t.utm_source, t.referrer_host`

/** The customer's touches, and those of identifiers merged into the customer that now belong to another (superseded). */
export async function listCandidateTouches(
  db: Db | Tx,
  params: { profileId: string; customerId: string },
): Promise<CandidateTouch[]> {
  const { profileId, customerId } = params
  const superseded = await supersededIdentifiers(db, profileId, customerId)
  const { rows } = await sql<CandidateTouch>`
    select ${columns} from identifiers i
    join touches t on t.profile_id = ${profileId} and t.identifier_id = i.id
    where i.profile_id = ${profileId}
      and (i.id = any(${[customerId, ...superseded]}::uuid[]) or (i.customer_id = ${customerId} and i.customer_id <> i.id))
    order by t.occurred_at, t.recorded_at, t.id`.execute(db)
  return dropEchoes(rows)
}

/** Touches of several customers, without superseded merges. */
export async function listTouchesOfCustomers(
  db: Db | Tx,
  params: { profileId: string; customerIds: readonly string[] },
): Promise<CandidateTouch[]> {
  const { profileId, customerIds } = params
  const { rows } = await sql<CandidateTouch>`
    select ${columns} from ${membersOf(profileId, customerIds)} i
    join touches t on t.profile_id = ${profileId} and t.identifier_id = i.id
    order by t.occurred_at, t.recorded_at, t.id`.execute(db)
  return dropEchoes(rows)
}
