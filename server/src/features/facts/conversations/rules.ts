/** Derives person, ad touch and events from a message. Pure. */
import type { MessageRecord } from '../../../connectors/connector.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { hashOf } from '../events/rules.ts'
import type { EventBody, NewEvent, StoredTouch, Traits } from '../events/stored.ts'
import { type IdentityScope, toIdentifiers } from '../identity/identifiers.ts'

export type Setting = IdentityScope & { connectionId: string; now: Date }
export type Referral = NonNullable<MessageRecord['referral']>

/** A hash of the platform's id, which may contain the person's number and is therefore not stored. */
export const messageIdOf = (profileId: string, record: MessageRecord): string =>
  uuidv5(profileId, `message:${record.channel}:${record.externalId}`)

/** One conversation per person and account of the business, regardless of pauses. */
export const conversationKeyOf = (record: MessageRecord): string => `${record.accountId}:${record.personId}`

/** Only a referral by an ad is a paid touch; posts and links are organic. */
export function toReferralTouch(channel: MessageRecord['channel'], referral: Referral): StoredTouch {
  const isAd = referral.adId !== null
  return {
    channel: isAd ? channel : 'organic_social',
    origin: 'conversation_referral',
    is_direct: false,
    platform: isAd ? 'social' : null,
    campaign_id: null,
    ad_set_id: null,
    ad_id: referral.adId,
    click_id_kind: referral.clickId === null ? null : 'ctwa_clid',
    click_id: referral.clickId,
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    referrer_host: null,
    landing_path: null,
  }
}

export function identifiersOf(record: MessageRecord, setting: Setting): EventBody['identifiers'] {
  const contact = { phone: record.phone, providerCustomerId: `${record.channel}:${record.personId}` }
  return toIdentifiers(contact, setting)
}

/** The first message of a conversation is an outcome, with the ad that brought it as its touch. */
export const toStartedEvent = (record: MessageRecord, conversationId: string, setting: Setting): NewEvent =>
  toEvent('dm_started', `conversation:${conversationId}`, record, conversationId, setting)

/** A person with an existing conversation comes back by an ad. */
export const toReferralEvent = (
  record: MessageRecord,
  conversationId: string | null,
  setting: Setting,
): NewEvent =>
  toEvent('ad_referral', `referral:${record.channel}:${record.externalId}`, record, conversationId, setting)

function toEvent(
  name: string,
  key: string,
  record: MessageRecord,
  conversationId: string | null,
  setting: Setting,
): NewEvent {
  const traits = traitsOf(record)
  const { referral } = record
  return {
    id: uuidv5(setting.profileId, `social_ads:${key}`),
    occurredAt: new Date(record.occurredAt),
    receivedAt: setting.now,
    source: 'integration',
    provider: record.channel,
    externalId: conversationId,
    name,
    anonymousId: null,
    sessionId: null,
    isBot: false,
    contentHash: hashOf({ ...record, name }),
    body: {
      identifiers: identifiersOf(record, setting),
      connection_id: setting.connectionId,
      ...(Object.keys(traits).length === 0 ? {} : { traits }),
      ...(referral === null ? {} : { touch: toReferralTouch(record.channel, referral) }),
      ...(referral?.clickId ? { click_ids: { ctwa_clid: referral.clickId } } : {}),
    },
  }
}

function traitsOf(record: MessageRecord): Traits {
  const [first, ...rest] = record.name?.trim().split(/\s+/) ?? []
  const traits = {
    phone: record.phone,
    first_name: first ?? null,
    last_name: rest.length === 0 ? null : rest.join(' '),
  }
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value)) as Traits
}
