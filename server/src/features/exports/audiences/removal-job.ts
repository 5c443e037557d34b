/** Takes people off a list that was sent. Who they are is read when it runs. */
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { uuidv7 } from '../../../contract/ids.ts'
import { type Job, job } from '../../../contract/job.ts'
import { withSession } from '../../connections/session.ts'
import { offered } from '../platform-safe/operations.ts'
import { nameMembers, toBatch } from './customer-list.ts'
import * as queries from './queries.ts'

const MAX_IDS = 10_000
const withoutAds = { adUserData: 'granted', adPersonalization: 'denied' } as const

export const removeFromLists: Job<{ list_id: string; identifier_ids: string[] }> = job({
  name: 'exports.remove_from_list',
  payload: z.object({ list_id: z.uuid(), identifier_ids: z.array(z.uuid()).max(10 * MAX_IDS) }),
  async run({ service, db, now, profileId }: JobContext, payload) {
    if (profileId === null) return
    const list = await queries.findListById(db, { profileId, id: payload.list_id })
    if (list === undefined) return
    const members = await nameMembers(db, profileId, payload.identifier_ids)
    let requestId: string | null = null
    for (let from = 0; from < members.length; from += MAX_IDS) {
      const part = members.slice(from, from + MAX_IDS)
      const reply = await withSession(
        service,
        { profileId, id: list.connection_id },
        null,
        (session, { connector }) =>
          offered(connector.removeFromCustomerList)(session, list.external_id, toBatch(part, withoutAds)),
      )
      requestId = reply.requestId
    }
    await db.transaction().execute(async (tx) => {
      await queries.removeMembers(tx, {
        profileId,
        listId: list.id,
        identifierIds: members.flatMap((member) => member.identifierIds),
      })
      await queries.insertAudienceRun(tx, {
        profileId,
        id: uuidv7(now),
        listId: list.id,
        operation: 'exclude',
        received: payload.identifier_ids.length,
        sent: 0,
        removed: members.length,
        requestId,
        now,
      })
    })
  },
})
