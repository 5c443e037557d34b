/** Merge proposals: pairs of customers that members merge, dismiss or snooze. */

import type { ProfileContext } from '../../../context.ts'
import { actorOf, recordInProfile } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isUuid, uuidv7 } from '../../../platform/contract/ids.ts'
import { decodeCursor, toPage } from '../../../platform/contract/page.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { loadContacts } from '../../facts/identity/contact.ts'
import { findLiveCustomer, loadMembers } from '../../facts/identity/members.ts'
import * as merges from './merges.ts'
import * as queries from './queries.ts'
import { calculateScore, canDecide, type Decision, findContradictions, type ProposalStatus } from './rules.ts'
import { describeCustomers } from './sides.ts'

const MAX_PROPOSED = 1000
const MAX_RESCORED = 10_000

export async function scanMergeProposals(context: Pick<ProfileContext, 'db' | 'now' | 'profile'>) {
  const { now } = context
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    await rescore(tx, profileId)
    const allPairs = await queries.findPairs(tx, { profileId, limit: MAX_PROPOSED + 1 })
    const pairs = allPairs.slice(0, MAX_PROPOSED)
    const kinds = await queries.listKinds(tx, {
      profileId,
      customerIds: [...new Set(pairs.flatMap((pair) => [pair.first_id, pair.second_id]))],
    })
    const score = await loadScorer(tx, profileId, pairs)
    const strength = (id: string) => `${kinds.get(id)?.[0] ?? 9}:${id}`
    const proposals = pairs.map((pair) => {
      const [firstId, secondId] = [pair.first_id, pair.second_id].sort((a, b) =>
        strength(a) < strength(b) ? -1 : 1,
      ) as [string, string]
      return { id: uuidv7(now), firstId, secondId, ...score(pair) }
    })
    const proposed = await queries.insertProposals(tx, { profileId, proposals, now })
    return { proposed, truncated: allPairs.length > MAX_PROPOSED }
  })
}

type Pair = { first_id: string; second_id: string; kinds: number[] }

async function loadScorer(tx: Tx, profileId: string, pairs: readonly Omit<Pair, 'kinds'>[]) {
  const ids = pairs.flatMap((pair) => [pair.first_id, pair.second_id])
  const contacts = await loadContacts(tx, profileId, ids)
  return ({ first_id, second_id, kinds }: Pair) => {
    const contradictions = findContradictions(contacts.get(first_id), contacts.get(second_id), kinds)
    return { kinds, contradictions, score: calculateScore(kinds, contradictions) }
  }
}

async function rescore(tx: Tx, profileId: string): Promise<void> {
  const open = await queries.listOpenPairs(tx, { profileId, limit: MAX_RESCORED })
  if (open.length === 0) return
  const score = await loadScorer(tx, profileId, open)
  await queries.rescoreProposals(tx, {
    profileId,
    withdrawn: open.flatMap(({ id, kinds }) => (kinds === null ? [id] : [])),
    rescored: open.flatMap(({ kinds, ...pair }) =>
      kinds === null ? [] : [{ id: pair.id, ...score({ ...pair, kinds }) }],
    ),
  })
}

export async function listMergeProposals(
  context: ProfileContext,
  query: { status?: ProposalStatus | undefined; cursor?: string | undefined; limit: number },
) {
  const { db, now } = context
  const profileId = context.profile.id
  const rows = await queries.listProposals(db, {
    profileId,
    now,
    status: query.status ?? null,
    before: readCursorId(query.cursor),
    limit: query.limit + 1,
  })
  const counts = await queries.countProposals(db, { profileId, now })
  return { ...toPage(rows, query.limit, (row) => [row.id]), counts }
}

/** Null, which is the first page, for an invalid cursor. */
function readCursorId(cursor: string | undefined): string | null {
  const id = cursor === undefined ? undefined : decodeCursor(cursor)?.[0]
  return typeof id === 'string' && isUuid(id) ? id : null
}

export async function getProposal(context: ProfileContext, id: string): Promise<queries.ProposalRow> {
  const proposal = await queries.findProposal(context.db, {
    profileId: context.profile.id,
    now: context.now,
    id,
  })
  if (proposal === undefined) throw new ApiError('not_found', 'No such merge proposal.')
  return proposal
}

export async function decideMergeProposal(
  context: ProfileContext,
  id: string,
  body: { decision: Decision; into_customer_id?: string | undefined; snooze_days: number },
): Promise<queries.ProposalRow> {
  const { now } = context
  const profileId = context.profile.id
  const { actor_id: by } = actorOf(context.caller)
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const txContext = { ...context, db: tx }
    const proposal = await getProposal(txContext, id)
    const verdict = canDecide(proposal.status, body.decision)
    if (verdict === 'same') return proposal
    if (verdict === 'no')
      throw new ApiError('invalid_state', `This proposal was ${proposal.status}; that decision is final.`, {
        reason: `already_${proposal.status}`,
      })
    const mergeId = body.decision === 'merge' ? uuidv7(now) : null
    const sides = mergeId === null ? null : await loadSides(tx, profileId, proposal)
    if (mergeId !== null) await merge(txContext, { id: mergeId, proposal, intoId: body.into_customer_id })
    await queries.decide(tx, {
      profileId,
      id,
      status: body.decision === 'merge' ? 'merged' : body.decision === 'dismiss' ? 'dismissed' : 'snoozed',
      snoozedUntil: body.decision === 'snooze' ? new Date(now.getTime() + body.snooze_days * DAY_MS) : null,
      mergeId,
      sides,
      by,
      now,
    })
    if (mergeId === null)
      await recordInProfile(tx, context, {
        action: `identity.proposal_${body.decision === 'dismiss' ? 'dismissed' : 'snoozed'}`,
        subject: id,
      })
    return getProposal(txContext, id)
  })
}

async function loadSides(tx: Tx, profileId: string, proposal: queries.ProposalRow) {
  const customerIds = [proposal.first_id, proposal.second_id]
  const members = await loadMembers(tx, profileId, customerIds)
  return customerIds.map((customerId) => ({
    customer_id: customerId,
    identifier_ids: [...members].flatMap(([id, owner]) => (owner === customerId ? [id] : [])),
  }))
}

/** The merge and its audit entry have the same id; an undo refers to it. */
async function merge(
  context: ProfileContext,
  params: { id: string; proposal: queries.ProposalRow; intoId: string | undefined },
): Promise<void> {
  const { proposal, intoId = proposal.first_id } = params
  const sides = [proposal.first_id, proposal.second_id]
  if (!sides.includes(intoId))
    throw new ApiError('customer_not_in_profile', 'must be one of the two customers of the proposal.', {
      field: 'into_customer_id',
    })
  const fromId = sides.find((side) => side !== intoId)!
  const profileId = context.profile.id
  await inTransaction(context.db, async (tx) => {
    const profile = await loadAttributionProfile(tx, profileId)
    await merges.mergeCustomers(tx, profile, {
      id: params.id,
      fromCustomerId: fromId,
      intoCustomerId: intoId,
      by: actorOf(context.caller).actor_id,
      now: context.now,
    })
    await recordInProfile(tx, context, {
      id: params.id,
      action: 'identity.merged',
      subject: intoId,
      detail: { from_customer_id: fromId, into_customer_id: intoId, proposal_id: proposal.id },
    })
  })
}

/** Both customers must exist and be different. */
export async function previewMerge(
  context: ProfileContext,
  pair: { from_customer_id: string; into_customer_id: string },
) {
  checkPair(pair)
  return previewPair(context, {
    fromId: await getCustomer(context, pair.from_customer_id),
    intoId: await getCustomer(context, pair.into_customer_id),
  })
}

async function previewPair(context: ProfileContext, { fromId, intoId }: { fromId: string; intoId: string }) {
  const describe = await describeCustomers(context, [fromId, intoId])
  const moves = await queries.countMoved(context.db, { profileId: context.profile.id, customerId: fromId })
  return { from: describe(fromId), into: describe(intoId), moves }
}

export function checkPair(pair: { from_customer_id: string; into_customer_id: string }): void {
  if (pair.from_customer_id === pair.into_customer_id)
    throw new ApiError('invalid_parameter', 'must differ from from_customer_id.', {
      field: 'into_customer_id',
    })
}

/** Refuses the id of a customer that was merged into another. */
async function getCustomer({ db, profile }: ProfileContext, id: string): Promise<string> {
  const customer = await findLiveCustomer(db, { profileId: profile.id, identifierId: id })
  if (customer !== id) throw new ApiError('customer_not_in_profile', 'No such customer in this profile.')
  return customer
}

/** The customer, or the one that it was merged into. */
async function getSurvivingCustomer({ db, profile }: ProfileContext, id: string): Promise<string> {
  const customer = await findLiveCustomer(db, { profileId: profile.id, identifierId: id })
  if (customer === undefined)
    throw new ApiError('customer_not_in_profile', 'No such customer in this profile.')
  return customer
}

export async function previewMergeProposal(context: ProfileContext, id: string) {
  const { status, first_id: intoId, second_id: fromId } = await getProposal(context, id)
  if (status === 'merged')
    throw new ApiError('invalid_state', 'This proposal is already merged.', { reason: 'already_merged' })
  return previewPair(context, { fromId, intoId })
}

export async function listMerges(
  context: ProfileContext,
  query: { customer_id: string; cursor?: string | undefined; limit: number },
) {
  const rows = await queries.listMerges(context.db, {
    profileId: context.profile.id,
    customerId: await getSurvivingCustomer(context, query.customer_id),
    before: readCursorId(query.cursor),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (row) => [row.id])
}

export async function undoMerge(context: ProfileContext, id: string) {
  const { now } = context
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const row = await queries.findMergeRow(tx, { profileId, id })
    if (row === undefined) throw new ApiError('not_found', 'No such merge.')
    const profile = await loadAttributionProfile(tx, profileId)
    const by = actorOf(context.caller).actor_id
    if (!(await merges.undoMerge(tx, profile, { id, by, now })))
      throw new ApiError('invalid_state', 'This merge is already undone.', { reason: 'already_undone' })
    await queries.reopenProposal(tx, { profileId, mergeId: id })
    await recordInProfile(tx, context, { action: 'identity.merge_undone', subject: id })
    const { from_customer_id, into_customer_id } = row
    return { audit_log_id: id, from_customer_id, into_customer_id, undone_at: now }
  })
}
