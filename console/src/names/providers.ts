import { type MailboxVendor, mailboxVendorValues, type ProviderParam, providerParamValues } from '@whence/sdk'
import { platformNames } from '@whence/server/platform/contract/platform-names.ts'

export type Provider = ProviderParam

type NamedProvider = {
  id: Provider
  name: string
  group: 'ads' | 'crm' | 'payments' | 'store'
  brings: string
}

const groups: Record<Provider, Omit<NamedProvider, 'id' | 'name'>> = {
  social_ads: { group: 'ads', brings: 'Campaigns, spend, reach and instant-form leads' },
  engine_ads: { group: 'ads', brings: 'Search campaigns, clicks and spend' },
  linkedin_ads: { group: 'ads', brings: 'Campaigns, spend and form leads on LinkedIn' },
  microsoft_ads: { group: 'ads', brings: 'Search and audience campaigns, clicks and spend' },
  engine_search_console: { group: 'ads', brings: 'Organic queries and pages' },
  engine_calendar: { group: 'crm', brings: 'Appointments with known customers; calendars that you share' },
  external_calendar: { group: 'crm', brings: 'Appointments with known customers' },
  crmsuite: { group: 'crm', brings: 'Leads, appointments, quotes and won deals' },
  cardpay: { group: 'payments', brings: 'Card payments and refunds' },
  regionalpay: { group: 'payments', brings: 'Regional payments and refunds' },
  storefront: { group: 'store', brings: 'Orders, refunds and the store’s web pixel' },
  woocommerce: { group: 'store', brings: 'Orders, refunds and how buyers found the store' },
  hubspot: { group: 'crm', brings: 'Leads, form submissions, deal stages and won deals' },
  tiktok_ads: { group: 'ads', brings: 'Campaigns, spend, creatives, GMV Max and instant-form leads' },
}

export const namedProviders: NamedProvider[] = providerParamValues.map((id) => ({
  id,
  name: providerName(id),
  ...groups[id],
}))

/** Providers that are connected by a consent. */
export type Connectable = Provider | MailboxVendor

export const namedMailboxes = mailboxVendorValues.map((id) => ({
  id,
  name: providerName(id),
  brings: 'Sends reports and emails from your own address; never reads your mail',
}))

/** The vendor of a mailbox connection, by which it is named and connected. */
export const vendorOf = (channel: string, subtype: string | null): MailboxVendor | undefined =>
  channel === 'mailbox' ? mailboxVendorValues.find((vendor) => vendor === subtype) : undefined

export const connectionName = (connection: { channel: string; provider_subtype: string | null }): string =>
  providerName(vendorOf(connection.channel, connection.provider_subtype) ?? connection.channel)

const messaging = new Set(['pagechat', 'photoapp', 'chatapp'])

/** Messaging accounts are authorized through the social account they belong to. */
export const authorizingProvider = (channel: string, subtype: string | null): Connectable =>
  messaging.has(channel) ? 'social_ads' : (vendorOf(channel, subtype) ?? (channel as Provider))

/** Display name of a provider or ad platform; other sources, such as an import, are only made readable. */
export function providerName(id: string): string {
  return Object.hasOwn(platformNames, id) ? platformNames[id]! : sentence(id)
}

/** Display name of a visit's channel. */
export function channelName(channel: string): string {
  return channel === 'unknown' ? 'No known visit' : providerName(channel)
}

const identifiers: Record<string, string> = {
  anonymous_id: 'Same browser',
  crm_contact_id: 'CRM contact',
  external_id: 'Your customer id',
  national_id: 'National id',
  provider_customer_id: 'Payment account',
}

/** Display name of an identifier kind. */
export function identifierName(kind: string): string {
  return identifiers[kind] ?? sentence(kind)
}

/** `appointment_booked` → `Appointment booked`. */
export function sentence(word: string): string {
  const text = word.replaceAll('_', ' ').replace(/\b(dm|api)\b/, (short) => short.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
