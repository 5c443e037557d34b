/** Anonymises an erased person in recorded outcomes and in delivery payloads. */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { outcomeIdOf } from '../../facts/outbox/outcomes.ts'

/** Replaces the provider's id of an outcome too, because it may be the provider's id of the person. */
const erasedPerson = JSON.stringify({ customer_key: null, external_id: 'erased' })

/** `events` are the events before they were anonymised: the outcome ids depend on their content. */
export async function forgetOutcomes(
  tx: Tx,
  params: { profileId: string; events: readonly StoredEvent[]; erasedAs: string },
): Promise<void> {
  const reported = params.events.filter((event) => event.source === 'integration')
  if (reported.length === 0) return
  const ids = reported.map((event) => outcomeIdOf(params.profileId, event))
  await sql`
    update outbox_events set customer_id = ${params.erasedAs}, data = data || ${erasedPerson}::jsonb
    where profile_id = ${params.profileId} and type = 'outcome.recorded' and id = any(${ids}::text[])`.execute(
    tx,
  )
}

/** Scans all recorded events, for outcomes that once had another id and for delivery payloads. */
export async function sweepOutcomes(
  tx: Tx,
  params: { profileId: string; erasedAs: string; identifierIds: readonly string[] },
): Promise<void> {
  const { profileId, erasedAs } = params
  await sql`
    update outbox_events o set customer_id = ${erasedAs}, data = o.data || ${erasedPerson}::jsonb
    where o.profile_id = ${profileId} and o.type = 'outcome.recorded'
      and o.customer_id = any(${uuidList(params.identifierIds)}::uuid[])
      and exists (
        select 1 from event_keys k where k.profile_id = ${profileId}
          and k.event_id = (o.data->>'outcome_event_id')::uuid and k.erased_as = ${erasedAs})`.execute(tx)
  await sql`
    update webhook_deliveries d
    set payload = jsonb_set(d.payload::jsonb, '{data}', (d.payload::jsonb->'data') || ${erasedPerson}::jsonb)::text
    from outbox_events o
    where d.profile_id = ${profileId} and d.event_type = 'outcome.recorded' and d.number is not null
      and o.profile_id = ${profileId} and o.number = d.number and o.customer_id = ${erasedAs}`.execute(tx)
}
