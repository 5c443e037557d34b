/**
 * Removes erased people from the customer lists that they were sent to. After the erasure no data is left to match them
 * by, so the erasing transaction stores the match values encrypted; they are deleted once the platform has removed the
 * person. Failing platforms are retried for 30 days.
 */

import { z } from 'zod'
import { type CustomerListMember, ProviderError } from '../../../../connectors/connector.ts'
import type { JobContext } from '../../../../context.ts'
import { findProfileRef } from '../../../../platform/access/queries.ts'
import { recordChange } from '../../../../platform/audit/record.ts'
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { type Job, job } from '../../../../platform/contract/job.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/enqueue.ts'
import type { Keyring } from '../../../../platform/secrets/keyring.ts'
import { openText, type SealedCell, seal } from '../../../../platform/secrets/seal.ts'
import { ConnectionUnusable } from '../../../sources/connections/refresh.ts'
import { withSession } from '../../../sources/connections/session.ts'
import { requireOffered } from '../platform-safe/operations.ts'
import { loadPeople } from '../run/facts.ts'
import { retryAtOf } from '../run/rules.ts'
import { removalConsent, toBatch } from './customer-list.ts'
import * as queries from './queries.ts'
import { personHash, toMatched } from './rules.ts'

const RETRY_FOR_MS = 30 * DAY_MS

const toCell = (profileId: string, id: string): SealedCell => ({
  table: 'audience_removals',
  row: id,
  column: 'members',
  profileId,
})

/**
 * The caller holds the profile's lock and has not anonymised the person yet. For an excluded person a hash of each
 * identifier is kept, so that they stay excluded if they become a customer again.
 */
export async function forgetInAudiences(
  tx: Tx,
  params: {
    profileId: string
    customerId: string | undefined
    identifierIds: readonly string[]
    keyring: Keyring
    now: Date
  },
): Promise<void> {
  const { profileId, customerId, identifierIds, keyring, now } = params
  const listIds = await queries.listListsWithMembers(tx, { profileId, identifierIds })
  if (listIds.length > 0 && customerId !== undefined) {
    const people = await loadPeople(tx, profileId, [customerId], { withLeads: false })
    const person = people.get(customerId)
    const matched = toMatched(person === undefined ? undefined : { ...person, isErased: false })
    if (matched !== null)
      for (const listId of listIds) {
        const id = uuidv7(now)
        const members = seal(keyring, toCell(profileId, id), JSON.stringify([matched]))
        await queries.insertRemoval(tx, { profileId, id, listId, members, now })
        await enqueue(tx, removeErased, { removal_id: id }, { profileId, dedupeKey: id })
      }
  }
  const rows = identifierIds.map((id) => ({ id: uuidv7(now), hash: personHash(id) }))
  await queries.hashExclusions(tx, { profileId, identifierIds, rows, now })
}

export const removeErased: Job<{ removal_id: string }> = job({
  name: 'exports.remove_erased',
  payload: z.object({ removal_id: z.uuid() }),
  async run(context: JobContext, { removal_id: id }) {
    const { db, profileId } = context
    if (profileId === null) return
    const removal = await queries.findRemoval(db, { profileId, id })
    if (removal === undefined) return
    const now = context.service.clock.now()
    try {
      const requestId = await removeFromPlatform(context, profileId, removal)
      await finishRemoval(context, profileId, removal, { requestId, now })
    } catch (error) {
      if (!isPlatformError(error)) throw error
      const isExpired = now.getTime() - removal.created_at.getTime() >= RETRY_FOR_MS
      if (isExpired)
        return await finishRemoval(context, profileId, removal, { requestId: null, now, isGivenUp: true })
      const retryAfter = error instanceof ProviderError ? error.retryAfterSeconds : null
      const runAt = retryAtOf(removal.attempts, retryAfter, now)
      await db.transaction().execute(async (tx) => {
        await queries.countRemovalAttempt(tx, { profileId, id })
        await enqueue(tx, removeErased, { removal_id: id }, { profileId, dedupeKey: id, runAt })
      })
    }
  },
})

const isPlatformError = (error: unknown) =>
  error instanceof ProviderError || error instanceof ConnectionUnusable || error instanceof ApiError

async function removeFromPlatform(
  { service, db }: JobContext,
  profileId: string,
  removal: queries.RemovalRow,
): Promise<string | null> {
  const list = await queries.findListById(db, { profileId, id: removal.list_id })
  if (list === undefined) return null
  const sealed = openText(service.keyring, toCell(profileId, removal.id), removal.members)
  const members = JSON.parse(sealed) as CustomerListMember[]
  const ref = { profileId, id: list.connection_id }
  const reply = await withSession(service, ref, null, (session, { connector }) =>
    requireOffered(connector.audiences).remove(session, list.external_id, toBatch(members, removalConsent)),
  )
  return reply.requestId
}

async function finishRemoval(
  { db }: JobContext,
  profileId: string,
  removal: queries.RemovalRow,
  outcome: { requestId: string | null; now: Date; isGivenUp?: true },
): Promise<void> {
  const { requestId, now, isGivenUp } = outcome
  const profile = await findProfileRef(db, { profileId })
  await db.transaction().execute(async (tx) => {
    if (!(await queries.deleteRemoval(tx, { profileId, id: removal.id }))) return
    await queries.insertAudienceRun(tx, {
      profileId,
      id: uuidv7(now),
      listId: removal.list_id,
      operation: 'remove',
      received: 1,
      sent: 0,
      removed: isGivenUp ? 0 : 1,
      requestId,
      now,
    })
    if (profile === undefined) return
    const action = isGivenUp ? 'audience.removal_given_up' : 'audience.erased_customer_removed'
    const { workspaceId } = profile
    await recordChange(tx, { now }, { workspaceId, profileId, action, subject: removal.list_id })
  })
}
