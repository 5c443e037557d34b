/** Links between identifiers of the same event, and decisions of people about them. */
import type { ProfileContext } from '../../../context.ts'
import { actorOf, recordInProfile } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { decodeCursor, invalidCursor, toPage } from '../../../platform/contract/page.ts'
import { toError } from '../../../platform/contract/refusal.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recomputeCustomers } from '../../attribution/crediting/incremental/recompute.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { findLiveCustomer, loadMembers } from '../../facts/identity/members.ts'
import { resolveChanged, toNode } from '../../facts/identity/resolve.ts'
import { findLinks, type LinkRow, type LinkStatus, type Pair, saveLinkDecision } from './link-queries.ts'

export const toLinkId = (row: Pick<LinkRow, 'weak_id' | 'strong_id'>) => `${row.weak_id}.${row.strong_id}`

export function parseLinkId(linkId: string): Pair {
  const [weakId, strongId] = linkId.toLowerCase().split('.')
  return { weakId: weakId!, strongId: strongId! }
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
  const links = await findLinks(db, {
    profileId,
    identifierIds:
      query.customer_id === undefined ? null : await listIdentifierIds(context, query.customer_id),
    pair: null,
    after: readLinkCursor(query.cursor),
    status: query.status ?? null,
    limit: query.limit + 1,
  })
  return toPage(links, query.limit, (row) => [toLinkId(row)])
}

async function listIdentifierIds({ db, profile }: ProfileContext, customerId: string): Promise<string[]> {
  const liveId = await findLiveCustomer(db, { profileId: profile.id, identifierId: customerId })
  if (liveId !== customerId)
    throw new ApiError('customer_not_in_profile', 'No such customer in this profile.')
  return [...(await loadMembers(db, profile.id, [customerId])).keys()]
}

export const linkIdPattern =
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function readLinkCursor(cursor: string | undefined): Pair | null {
  if (cursor === undefined) return null
  const id = decodeCursor(cursor)?.[0]
  if (typeof id !== 'string' || !linkIdPattern.test(id)) throw toError(invalidCursor())
  return parseLinkId(id)
}

/** Recomputes the affected customers in the same transaction. Only a rejected link stops connecting identifiers. */
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
    await saveLinkDecision(tx, {
      profileId,
      weakId: link.weak_id,
      strongId: link.strong_id,
      decision: status,
      decidedBy: actorOf(context.caller).actor_id,
      now,
    })
    const weaker = toNode(link.weak_kind, link.weak_id)
    const stronger = toNode(link.strong_kind, link.strong_id)
    const observedAt = link.first_observed_at.getTime()
    const regrouped = await resolveChanged(tx, profileId, {
      changed: [weaker],
      removed: [{ weaker, stronger, observedAt }],
    })
    await recomputeCustomers(tx, await loadAttributionProfile(tx, profileId), [...regrouped], now, {
      reasonOf: () => ({ cause: 'link_decided', fact: null }),
    })
    await recordInProfile(tx, context, {
      action: `identity.link_${status}`,
      subject: toLinkId(link),
      detail: { before: { status: link.status }, after: { status } },
    })
    return getLink(tx, profileId, linkId)
  })
}

async function getLink(tx: Tx, profileId: string, linkId: string): Promise<LinkRow> {
  const filter = { profileId, identifierIds: null, after: null, status: null, limit: 1 }
  const [link] = await findLinks(tx, { ...filter, pair: parseLinkId(linkId) })
  if (link === undefined) throw new ApiError('not_found', 'No such link.')
  return link
}
