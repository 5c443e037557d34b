/**
 * Turns providers' records of people into events. The key is the provider's id, so a re-sync, a webhook and its retry are
 * one event, and a change is an update.
 */
import type {
  ContactRecord,
  Money,
  OutcomeRecord,
  PaymentRecord,
  PersonRecord,
  VisitRecord,
} from '../../../connectors/connector.ts'
import { clickIdPlatforms } from '../../../platform/contract/click-ids.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { isCrm } from '../identity/crms.ts'
import { type IdentityScope, orderOf, toIdentifiers } from '../identity/identifiers.ts'
import { hashOf } from './rules.ts'
import type { EventBody, NewEvent, StoredTouch, Traits } from './stored.ts'
import { toTouch } from './touch.ts'

export type IntegrationRecord = OutcomeRecord | PaymentRecord | ContactRecord | VisitRecord
export type IntegrationSetting = IdentityScope & {
  provider: string
  /** Absent if the record does not come from a connection. */
  connectionId?: string
  now: Date
}

/**
 * Outcomes whose recorded click becomes a touch at their time. Later outcomes of the same person repeat the same click;
 * a touch for them would move credit to it.
 */
const arrivals = new Set(['lead_created', 'form_submitted', 'dm_started', 'order_placed'])

/** Id of the payment and of its event, the same for every report of the payment. */
export function paymentIdOf(profileId: string, provider: string, externalId: string): string {
  return uuidv5(profileId, `${provider}:payment:${externalId}`)
}

/** The id of a stage's outcome does not depend on the profile's mapping of stages. */
export function outcomeEventIdOf(
  profileId: string,
  provider: string,
  record: Pick<OutcomeRecord, 'externalId' | 'outcomeType' | 'stageId'>,
): string {
  const kind = record.stageId === null ? record.outcomeType : 'stage'
  return uuidv5(profileId, `${provider}:outcome:${kind}:${record.externalId}`)
}

/** The caller has mapped stages to outcome types. If two records have the same id, the later wins. */
export function toIntegrationEvents(
  records: readonly IntegrationRecord[],
  setting: IntegrationSetting,
): NewEvent[] {
  const byId = new Map<string, NewEvent>()
  for (const record of records) {
    const event = toEvent(record, setting)
    if (setting.connectionId !== undefined) event.body.connection_id = setting.connectionId
    byId.set(event.id, event)
  }
  return [...byId.values()]
}

function toEvent(record: IntegrationRecord, setting: IntegrationSetting): NewEvent {
  const { profileId, provider } = setting
  const common = {
    receivedAt: setting.now,
    source: 'integration' as const,
    provider,
    externalId: record.externalId,
    anonymousId: record.person.anonymousId,
    sessionId: null,
    isBot: false,
  }
  switch (record.type) {
    case 'outcome': {
      const { type, externalId, outcomeType, occurredAt, value, person, stageId, retracted } = record
      return {
        ...common,
        id: outcomeEventIdOf(profileId, provider, record),
        occurredAt: new Date(occurredAt),
        name: outcomeType,
        contentHash: hashOf({ type, externalId, outcomeType, occurredAt, value, person, stageId, retracted }),
        body: {
          ...personOf(person, setting, arrivals.has(outcomeType) ? occurredAt : null),
          ...(value === null ? {} : { money: toMoney(value) }),
          ...(outcomeType === 'order_placed' ? orderOf(externalId, profileId, setting.pepper) : {}),
          ...(retracted ? { retracted: true as const } : {}),
        },
      }
    }
    case 'payment': {
      const { type, externalId, occurredAt, amount, status, person, orderId } = record
      return {
        ...common,
        id: paymentIdOf(profileId, provider, externalId),
        occurredAt: new Date(occurredAt),
        name: 'payment_received',
        contentHash: hashOf({ type, externalId, occurredAt, amount, status, person, orderId }),
        body: {
          // If the payment is the order itself, the click belongs to the order event.
          ...personOf(person, setting, orderId === externalId ? null : occurredAt),
          money: toMoney(amount),
          payment_status: status,
          ...orderOf(orderId, profileId, setting.pepper),
        },
      }
    }
    case 'visit': {
      const { type, externalId, occurredAt, reportedAt, landingPage, referrer, person } = record
      const page = { url: landingPage, referrer, sessionStart: true }
      const touch = touchOf({ ...person, visitedAt: occurredAt }, reportedAt, page)
      return {
        ...common,
        id: uuidv5(profileId, `${provider}:visit:${externalId}`),
        occurredAt: new Date(reportedAt),
        name: 'store_visit',
        contentHash: hashOf({ type, externalId, occurredAt, reportedAt, landingPage, referrer, person }),
        body: { ...personOf(person, setting, null), ...(touch === null ? {} : { touch }) },
      }
    }
    case 'contact': {
      const { type, externalId, person } = record
      return {
        ...common,
        id: uuidv5(profileId, `${provider}:contact:${externalId}`),
        occurredAt: new Date(record.updatedAt),
        name: 'contact_updated',
        contentHash: hashOf({ type, externalId, person }),
        body: personOf(person, setting, null),
      }
    }
  }
}

const toMoney = ({ amountMinor, currency, reported }: Money) => ({
  minor: amountMinor,
  currency,
  ...(reported === undefined ? {} : { reported }),
})

/** `arrivedAt`: time of the record if its click becomes a touch, else null. */
function personOf(person: PersonRecord, setting: IntegrationSetting, arrivedAt: string | null): EventBody {
  const contactId = person.contactId === null ? null : `${setting.provider}:${person.contactId}`
  const traits = traitsOf(person)
  const touch = arrivedAt === null ? null : touchOf(person, arrivedAt)
  return {
    identifiers: toIdentifiers(
      {
        anonymousId: person.anonymousId,
        email: person.email,
        phone: person.phone,
        country: person.country ?? null,
        externalId: person.externalId,
        crmContactId: isCrm(setting.provider) ? contactId : null,
        providerCustomerId: isCrm(setting.provider) ? null : contactId,
      },
      setting,
    ),
    ...(Object.keys(traits).length === 0 ? {} : { traits }),
    ...(person.contactId === null ? {} : { contact_id: person.contactId }),
    ...(touch === null ? {} : { touch }),
    ...(Object.keys(person.clickIds).length === 0 ? {} : { click_ids: person.clickIds }),
  }
}

function traitsOf(person: PersonRecord): Traits {
  const traits = {
    email: person.email,
    phone: person.phone,
    country: person.country ?? null,
    external_id: person.externalId,
    first_name: person.firstName,
    last_name: person.lastName,
    city: person.address?.city ?? null,
    region: person.address?.region ?? null,
    postal_code: person.address?.postalCode ?? null,
  }
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== null && value !== ''))
}

const noPage = { url: null, referrer: null, sessionStart: false }

/** The click of the record as a touch, at the earliest known time. */
function touchOf(
  person: PersonRecord,
  recordAt: string,
  page: { url: string | null; referrer: string | null; sessionStart: boolean } = noPage,
): StoredTouch | null {
  const touch = toTouch({
    utm: person.utm ?? {},
    clickIds: clicksOf(person.clickIds),
    ad: { ad_id: person.ad.adId, ad_set_id: person.ad.adSetId, campaign_id: person.ad.campaignId },
    ...page,
  })
  if (touch === null) return null
  const knownTimes = [person.visitedAt ?? null, clickTime(person.clickIds)].flatMap((time) =>
    time === null ? [] : Date.parse(time),
  )
  const at = Math.min(Date.parse(recordAt), ...knownTimes)
  return {
    ...touch,
    reported: true,
    ...(at < Date.parse(recordAt) ? { at: new Date(at).toISOString() } : {}),
  }
}

/** The `fbc` cookie contains the time when it was set: `fb.1.<time>.<id>`. */
function clickTime(clickIds: Record<string, string>): string | null {
  const ms = Number(clickIds.fbc?.split('.').at(2))
  return ms > 1_000_000_000_000 && ms < 10_000_000_000_000 ? new Date(ms).toISOString() : null
}

/** Restores the case of parameter names, which providers lower-case, and extracts the click id of `fbc` (`fb.1.<time>.<id>`). */
function clicksOf(clickIds: Record<string, string>): Record<string, string> {
  const names = new Map(Object.keys(clickIdPlatforms).map((name) => [name.toLowerCase(), name]))
  const officialClicks = Object.entries(clickIds).flatMap(([name, value]) => {
    const official = names.get(name.toLowerCase())
    return official === undefined ? [] : [[official, value] as const]
  })
  const cookie = clickIds.fbc?.split('.').at(3)
  return Object.fromEntries([
    ...(cookie === undefined ? [] : [['fbclid', cookie] as const]),
    ...officialClicks,
  ])
}
