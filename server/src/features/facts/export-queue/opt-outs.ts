/** Queues the removal of people who refuse to be part of ads from the customer lists that were built from a filter. */
import { sql } from 'kysely'
import { z } from 'zod'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueueMany, type JobRef } from '../../../platform/jobs/enqueue.ts'
import { membersOf } from '../identity/members.ts'

/** Name and payload of the job; the exports feature implements it. */
export const removeFromListsRef = {
  name: 'exports.remove_from_list',
  payload: z.object({ list_id: z.uuid() }),
} satisfies JobRef<{ list_id: string }>

/** The job decides who is removed: `identifierIds` and `customerIds` are people whose consent may have changed. */
export async function queueOptOuts(
  tx: Tx,
  profileId: string,
  {
    identifierIds = [],
    customerIds = [],
  }: Partial<Record<'identifierIds' | 'customerIds', readonly string[]>>,
): Promise<void> {
  if (identifierIds.length + customerIds.length === 0) return
  const { rows: lists } = await sql<{ id: string }>`
    select id from audience_lists where profile_id = ${profileId} and from_filter`.execute(tx)
  if (lists.length === 0) return
  const { rows: owners } = await sql<{ customer_id: string }>`
    select distinct customer_id from identifiers
    where profile_id = ${profileId} and id = any(${uuidList(identifierIds)}::uuid[])`.execute(tx)
  const people = [...new Set([...customerIds, ...owners.map((row) => row.customer_id)])]
  const { rows } = await sql<{ list_id: string }>`
    select distinct m.list_id from ${membersOf(profileId, people)} as person
    join audience_members m on m.profile_id = ${profileId} and m.identifier_id = person.id
      and m.list_id = any(${uuidList(lists.map((list) => list.id))}::uuid[])`.execute(tx)
  await enqueueMany(
    tx,
    removeFromListsRef,
    rows.map((row) => ({ payload: { list_id: row.list_id }, profileId, dedupeKey: row.list_id })),
  )
}
