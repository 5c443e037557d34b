/** Records `outcome.recorded` in the transaction of the outcome, on profiles that an app created or adopted. */
import { sql } from 'kysely'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { REDACTED } from '../../../platform/contract/personal-values.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { checkFor } from '../../../platform/outbound/gate.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { conversionsOf } from '../events/derived-rows.ts'
import type { StoredEvent } from '../events/stored.ts'
import { outcomeRecorded } from './event-factories.ts'
import { outcomeProviders } from './event-types.ts'
import { isOpaqueKey } from './opaque-key.ts'
import { recordEvents } from './record.ts'

type OutcomeProvider = (typeof outcomeProviders)[number]
/** Events of integrations that are no outcomes. */
const noOutcomes = new Set(['contact_updated', 'opportunity_stage'])

type IdentifiedEvent = { event: StoredEvent; identifierId: string }
type Outcome = IdentifiedEvent & { provider: OutcomeProvider; externalId: string }

/** Idempotent: the id of the outbox event depends only on the outcome. */
export async function recordOutcomes(
  tx: Tx,
  profileId: string,
  identified: readonly IdentifiedEvent[],
  now: Date,
) {
  const outcomes = identified.flatMap(toOutcome)
  if (outcomes.length === 0) return
  // Recorded even without a current authorization: recipients are decided at delivery, and a gap could not be filled later.
  const profile = await tx
    .selectFrom('profiles as p')
    .leftJoin('app_authorizations as g', 'g.id', 'p.governing_authorization_id')
    .select(['g.app_id as governing_app_id', 'p.provisioned_by_app_id'])
    .where('p.id', '=', profileId)
    .executeTakeFirst()
  const appId = profile?.governing_app_id ?? profile?.provisioned_by_app_id ?? null
  if (appId === null) return
  const conversions = await firstConversions(
    tx,
    profileId,
    outcomes.map(({ event }) => event.id),
  )
  const events = outcomes.map(({ event, identifierId, provider, externalId }) => {
    const { contact_id: contactId, connection_id: connectionId = null, money, traits } = event.body
    const isPersonal = checkFor(traits?.phone == null ? [] : [traits.phone])
    const isOpaque = (key: string) => isOpaqueKey(key) && !isPersonal(key)
    const data = {
      provider,
      outcome_type: event.name,
      occurred_at: event.occurredAt.toISOString(),
      recorded_at: now.toISOString(),
      external_id: isPersonal(externalId) ? REDACTED : externalId,
      outcome_event_id: event.id,
      conversion_id: conversions.get(event.id) ?? null,
      customer_key: contactId !== undefined && isOpaque(contactId) ? contactId : null,
      value: money === undefined ? null : toDecimalNumber(money.minor, money.currency),
    }
    const id = outcomeIdOf(profileId, event)
    return outcomeRecorded(profileId, data, { id, appId, connectionId, customerId: identifierId })
  })
  await recordEvents(tx, events, now)
}

export function outcomeIdOf(
  profileId: string,
  event: Pick<StoredEvent, 'provider' | 'externalId' | 'name'>,
): string {
  return uuidv5(profileId, JSON.stringify([event.provider, event.externalId, event.name]))
}

/** Retracted outcomes and payments that were not received are no outcomes. */
function toOutcome({ event, identifierId }: IdentifiedEvent): Outcome[] {
  const provider = outcomeProviders.find((name) => name === event.provider)
  if (event.source !== 'integration' || provider === undefined || event.externalId === null) return []
  const { retracted, payment_status: status = 'succeeded' } = event.body
  if (retracted === true || noOutcomes.has(event.name)) return []
  if (status !== 'succeeded' && status !== 'disputed') return []
  return [{ event, identifierId, provider, externalId: event.externalId }]
}

async function firstConversions(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ event_id: string; id: string }>`
    select event_id, min(id::text)::uuid as id from ${conversionsOf(profileId, eventIds)} as received
    group by event_id`.execute(tx)
  return new Map(rows.map((row) => [row.event_id, row.id]))
}
