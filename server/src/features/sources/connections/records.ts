/** Dispatches the records of a provider to the features that store them. */

import type {
  AdEntityRecord,
  ContactRecord,
  DeliveryRecord,
  LeadRecord,
  OutcomeRecord,
  PaymentRecord,
  RefundRecord,
  SearchQueryRecord,
  SyncRecord,
  VisitRecord,
} from '../../../connectors/connector.ts'
import type { ProfileRef, Service } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { applyRefunds } from '../../attribution/pipeline/refunds.ts'
import { saveClicks } from '../../attribution/pipeline/resolved-clicks.ts'
import { saveAdRecords } from '../../attribution/pipeline/save-ad-records.ts'
import { saveAdDetails } from '../../facts/ads/details.ts'
import { receiveCalendars, saveCrmAppointments } from '../../facts/appointments/receive.ts'
import { receiveMessages } from '../../facts/conversations/receive.ts'
import { receiveStatuses } from '../../facts/conversations/replies.ts'
import { toIntegrationEvents } from '../../facts/events/integrations.ts'
import { writeEvents } from '../../facts/events/queries.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import { leadReceived } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import { announceCommerce } from './commerce.ts'
import type { ConnectionRow } from './queries.ts'
import { insertLeads, upsertSearchQueries } from './record-queries.ts'
import { toLeadOutcome } from './rules.ts'
import { loadStageMapping } from './stage-mapping.ts'

export type RecordTarget = {
  service: Service
  profile: ProfileRef
  connection: ConnectionRow
  /** When the provider was queried, if before `now`. */
  readAt?: Date
  now: Date
}

/** Idempotent: every write is keyed by the provider's id. Wake the processor after the commit. */
export async function applyRecords(
  tx: Tx,
  target: RecordTarget,
  records: readonly SyncRecord[],
): Promise<void> {
  await saveAds(tx, target, [...ofType(records, 'ad_entity'), ...ofType(records, 'delivery')])
  await saveAdDetails(tx, target.profile.id, ofType(records, 'ad_detail'), target.now)
  await saveClicks(tx, {
    profileId: target.profile.id,
    connectionId: target.connection.id,
    records: ofType(records, 'ad_click'),
    now: target.now,
  })
  const { service, profile, connection, now } = target
  const scope = identityScope(service, profile)
  await receiveMessages(tx, { ...scope, connectionId: connection.id, now }, ofType(records, 'message'))
  await receiveStatuses(tx, { profileId: profile.id, now }, ofType(records, 'message_status'))
  const calendar = {
    ...scope,
    provider: connection.provider,
    connectionId: connection.id,
    timezone: profile.timezone,
    now,
  }
  await receiveCalendars(tx, calendar, {
    lists: ofType(records, 'calendar_list'),
    reads: ofType(records, 'calendar_read'),
    meetings: ofType(records, 'meeting'),
  })
  await saveCrmAppointments(tx, calendar, ofType(records, 'outcome'))
  await saveSearchQueries(tx, target, ofType(records, 'search_query'))
  const leads = ofType(records, 'lead')
  const facts = [
    ...ofType(records, 'visit'),
    ...ofType(records, 'contact'),
    ...ofType(records, 'outcome'),
    ...ofType(records, 'payment'),
  ]
  await saveFacts(tx, target, [...facts, ...leads.map(toLeadOutcome)])
  await saveRefunds(tx, target, ofType(records, 'refund'))
  await saveLeads(tx, target, leads)
  await announceCommerce(tx, target, {
    orders: ofType(records, 'order_status'),
    products: ofType(records, 'product_change'),
  })
}

type OfType<T extends SyncRecord['type']> = Extract<SyncRecord, { type: T }>

function ofType<T extends SyncRecord['type']>(records: readonly SyncRecord[], type: T): OfType<T>[] {
  return records.filter((record): record is OfType<T> => record.type === type)
}

async function saveAds(
  tx: Tx,
  { service, profile, connection, readAt }: RecordTarget,
  records: readonly (AdEntityRecord | DeliveryRecord)[],
): Promise<void> {
  if (records.length === 0) return
  await lockProfile(tx, profile.id)
  const attribution = await loadAttributionProfile(tx, profile.id)
  const origin = { source: connection.provider, connectionId: connection.id, readAt }
  await saveAdRecords(tx, attribution, origin, records, service.clock.now())
}

async function saveSearchQueries(
  tx: Tx,
  { profile, connection }: RecordTarget,
  records: readonly SearchQueryRecord[],
): Promise<void> {
  if (records.length === 0) return
  const rows = lastPerKey(records, (record) => `${record.day} ${record.page ?? ''} ${record.query}`).map(
    (record) => ({
      day: record.day,
      query: record.query,
      page: record.page ?? '',
      clicks: record.clicks,
      impressions: record.impressions,
      position_milli: record.positionMilli,
    }),
  )
  await upsertSearchQueries(tx, { profileId: profile.id, connectionId: connection.id, rows })
}

/** Converts outcomes, payments, contacts and visits to events. The profile's mapping sets the outcome of a CRM stage. */
async function saveFacts(
  tx: Tx,
  { service, profile, connection, now }: RecordTarget,
  records: readonly (OutcomeRecord | PaymentRecord | ContactRecord | VisitRecord)[],
): Promise<void> {
  if (records.length === 0) return
  const ref = { profileId: profile.id, connectionId: connection.id }
  const mapping = records.some((record) => record.type === 'outcome' && record.stageId !== null)
    ? await loadStageMapping(tx, ref)
    : new Map<string, string | null>()
  const mapped = records.map((record) =>
    record.type !== 'outcome' || record.stageId === null
      ? record
      : { ...record, outcomeType: mapping.get(record.stageId) ?? record.outcomeType },
  )
  const origin = {
    ...identityScope(service, profile),
    provider: connection.provider,
    connectionId: connection.id,
    now,
  }
  await writeEvents(tx, { profileId: profile.id, events: toIntegrationEvents(mapped, origin) })
}

async function saveRefunds(
  tx: Tx,
  { service, profile, connection }: RecordTarget,
  records: readonly RefundRecord[],
): Promise<void> {
  if (records.length === 0) return
  await lockProfile(tx, profile.id)
  const attribution = await loadAttributionProfile(tx, profile.id)
  await applyRefunds(tx, attribution, connection.provider, records, service.clock.now())
}

/** Announces new leads only. The event does not contain the person's answers; they are read from the table at each delivery. */
async function saveLeads(
  tx: Tx,
  { profile, connection, now }: RecordTarget,
  records: readonly LeadRecord[],
): Promise<void> {
  if (records.length === 0) return
  const rows = lastPerKey(records, (record) => record.leadgenId).map((record) => ({
    leadgen_id: record.leadgenId,
    page_id: record.pageId,
    form_id: record.formId,
    ad_id: record.adId,
    campaign_id: record.campaignId,
    field_data: record.fieldData,
    occurred_at: record.occurredAt,
  }))
  const newIds = await insertLeads(tx, { profileId: profile.id, connectionId: connection.id, rows, now })
  const events = rows
    .filter((row) => newIds.has(row.leadgen_id))
    .map(({ field_data: _answers, occurred_at: occurredAt, ...data }) =>
      leadReceived(profile.id, data, { connectionId: connection.id, occurredAt: new Date(occurredAt) }),
    )
  if (events.length > 0) await recordEvents(tx, events, now)
}

/** Keeps the last record per key, because one upsert may not touch a row twice. */
function lastPerKey<T>(records: readonly T[], keyOf: (record: T) => string): T[] {
  return [...new Map(records.map((record) => [keyOf(record), record])).values()]
}
