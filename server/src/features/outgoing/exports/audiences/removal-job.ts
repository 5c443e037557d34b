/**
 * Removes excluded people, and people who opted out, from a list that was sent. The job reads them when it runs, so it follows merges and can be
 * repeated.
 */
import type { JobContext } from '../../../../context.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import { type Job, job } from '../../../../platform/contract/job.ts'
import { removeFromListsRef } from '../../../facts/export-queue/opt-outs.ts'
import { withSession } from '../../../sources/connections/session.ts'
import { requireOffered } from '../platform-safe/operations.ts'
import { loadMatchableMembers, removalConsent, toBatch } from './customer-list.ts'
import * as queries from './queries.ts'

const MAX_MEMBERS = 10_000

export const removeFromLists: Job<{ list_id: string }> = job({
  ...removeFromListsRef,
  async run({ service, db, profileId }: JobContext, payload) {
    if (profileId === null) return
    const list = await queries.findListById(db, { profileId, id: payload.list_id })
    if (list === undefined) return
    for (;;) {
      const identifierIds = await queries.listExcludedMembers(db, {
        profileId,
        listId: list.id,
        limit: MAX_MEMBERS,
      })
      if (identifierIds.length === 0) return
      const members = await loadMatchableMembers(db, profileId, identifierIds)
      const ref = { profileId, id: list.connection_id }
      const matched = members.map((member) => member.matched)
      const reply =
        matched.length === 0
          ? null
          : await withSession(service, ref, null, (session, { connector }) =>
              requireOffered(connector.audiences).remove(
                session,
                list.external_id,
                toBatch(matched, removalConsent),
              ),
            )
      const now = service.clock.now()
      await db.transaction().execute(async (tx) => {
        // Also deletes members without match values: the platform cannot remove them.
        await queries.removeMembers(tx, { profileId, listId: list.id, identifierIds })
        await queries.insertAudienceRun(tx, {
          profileId,
          id: uuidv7(now),
          listId: list.id,
          operation: 'exclude',
          received: identifierIds.length,
          sent: 0,
          removed: members.length,
          requestId: reply?.requestId ?? null,
          now,
        })
      })
    }
  },
})
