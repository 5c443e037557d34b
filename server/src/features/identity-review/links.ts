/** Links that events made between identifiers, and what somebody decided about them. */
import { sql } from 'kysely'
import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { decodeCursor, foreignCursor, toPage } from '../../contract/page.ts'
import { toError } from '../../contract/refusal.ts'
import { uuidList } from '../../db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { lockProfile } from '../../db/profile-lock.ts'
import { recomputeCustomers } from '../attribution/incremental/recompute.ts'
import { loadAttributionProfile } from '../attribution/settings.ts'
import { actorOf, recordChange } from '../audit/record.ts'
import { findLiveCustomer, isAlive, loadMembers } from '../identity/members.ts'
import { resolveChanged, toNode } from '../identity/resolve.ts'

export type LinkStatus = 'pending' | 'accepted' | 'rejected'
export type LinkRow = {
  weak_id: string
  weak_kind: number
  weak_customer_id: string
  strong_id: string
  strong_kind: number
  strong_customer_id: string
  first_observed_at: Date
  last_observed_at: Date
  events: number
  status: LinkStatus
  decided_at: Date | null
}
export type Pair = { weakId: string; strongId: string }

export const linkIdOf = (row: Pick<LinkRow, 'weak_id' | 'strong_id'>) => `${row.weak_id}.${row.strong_id}`

export function pairOf(linkId: string): Pair {
  const [weakId, strongId] = linkId.toLowerCase().split('.')
  return { weakId: weakId!, strongId: strongId! }
}

type Asked = {
  profileId: string
  identifierIds: readonly string[] | null
  pair: Pair | null
  after: Pair | null
  status: LinkStatus | null
  limit: number
}

/** In the order of their key, so that a page is read without looking at the others. */
async function findLinks(db: Db | Tx, asked: Asked): Promise<LinkRow[]> {
  const { profileId, identifierIds, pair, after } = asked
  const own = uuidList(identifierIds ?? [])
  const of =
    identifierIds === null
      ? sql``
      : sql`and (l.weak_id = any(${own}::uuid[]) or l.strong_id = any(${own}::uuid[]))`
  const one = pair === null ? sql`` : sql`and l.weak_id = ${pair.weakId} and l.strong_id = ${pair.strongId}`
  const beyond =
    after === null
      ? sql``
      : sql`and (l.weak_id, l.strong_id) > (${after.weakId}::uuid, ${after.strongId}::uuid)`
  const { rows } = await sql<LinkRow>`
    select l.weak_id, w.kind as weak_kind, w.customer_id as weak_customer_id, l.strong_id, s.kind as strong_kind,
      s.customer_id as strong_customer_id, l.first_observed_at, l.last_observed_at, l.events,
      coalesce(d.decision, 'pending') as status, d.decided_at
    from (
      select l.weak_id, l.strong_id, min(l.observed_at) as first_observed_at, max(l.observed_at) as last_observed_at,
        count(*)::int as events
      from identity_links l where l.profile_id = ${profileId} ${of} ${one} ${beyond}
      group by l.weak_id, l.strong_id) as l
    join identifiers w on w.profile_id = ${profileId} and w.id = l.weak_id
    join identifiers s on s.profile_id = ${profileId} and s.id = l.strong_id
    left join link_decisions d on d.profile_id = ${profileId} and d.weak_id = l.weak_id and d.strong_id = l.strong_id
    where (${asked.status}::text is null or coalesce(d.decision, 'pending') = ${asked.status})
      and ${isAlive(profileId, sql.ref('w.customer_id'))} and ${isAlive(profileId, sql.ref('s.customer_id'))}
    order by l.weak_id, l.strong_id limit ${asked.limit}`.execute(db)
  return rows
}

export async function listIdentityLinks(
  context: ProfileContext,
  query: {
    customer_id?: string | undefined
    status?: LinkStatus | undefined
    cursor?: string | undefined
    limit: number
  },
) {
  const { db } = context
  const profileId = context.profile.id
  const found = await findLinks(db, {
    profileId,
    identifierIds: query.customer_id === undefined ? null : await membersIn(context, query.customer_id),
    pair: null,
    after: placeOf(query.cursor),
    status: query.status ?? null,
    limit: query.limit + 1,
  })
  return toPage(found, query.limit, (row) => [linkIdOf(row)])
}

async function membersIn({ db, profile }: ProfileContext, customerId: string): Promise<string[]> {
  const found = await findLiveCustomer(db, { profileId: profile.id, identifierId: customerId })
  if (found !== customerId) throw new ApiError('customer_not_in_profile', 'No such customer in this profile.')
  return [...(await loadMembers(db, profile.id, [customerId])).keys()]
}

export const linkForm =
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function placeOf(cursor: string | undefined): Pair | null {
  if (cursor === undefined) return null
  const id = decodeCursor(cursor)?.[0]
  if (typeof id !== 'string' || !linkForm.test(id)) throw toError(foreignCursor())
  return pairOf(id)
}

/** People are regrouped at once: a rejected link ties nobody together, an accepted one does as before. */
export async function decideIdentityLink(
  context: ProfileContext,
  linkId: string,
  decision: 'accept' | 'reject',
): Promise<LinkRow> {
  const { now } = context
  const profileId = context.profile.id
  const status = decision === 'accept' ? 'accepted' : 'rejected'
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const link = await getLink(tx, profileId, linkId)
    if (link.status === status) return link
    await sql`
      insert into link_decisions (profile_id, weak_id, strong_id, decision, decided_at, decided_by)
      values (${profileId}, ${link.weak_id}, ${link.strong_id}, ${status}, ${now}, ${actorOf(context.caller).actor_id})
      on conflict (profile_id, weak_id, strong_id) do update set decision = excluded.decision,
        decided_at = excluded.decided_at, decided_by = excluded.decided_by`.execute(tx)
    const weaker = toNode(link.weak_kind, link.weak_id)
    const stronger = toNode(link.strong_kind, link.strong_id)
    const observedAt = link.first_observed_at.getTime()
    const regrouped = await resolveChanged(tx, profileId, {
      changed: [weaker],
      removed: [{ weaker, stronger, observedAt }],
    })
    await recomputeCustomers(tx, await loadAttributionProfile(tx, profileId), [...regrouped], now)
    await recordChange(tx, context, {
      workspaceId: context.profile.workspaceId,
      profileId,
      action: `identity.link_${status}`,
      subject: linkIdOf(link),
      detail: { before: { status: link.status }, after: { status } },
    })
    return getLink(tx, profileId, linkId)
  })
}

async function getLink(tx: Tx, profileId: string, linkId: string): Promise<LinkRow> {
  const asked = { profileId, identifierIds: null, after: null, status: null, limit: 1 }
  const [link] = await findLinks(tx, { ...asked, pair: pairOf(linkId) })
  if (link === undefined) throw new ApiError('not_found', 'No such link.')
  return link
}
