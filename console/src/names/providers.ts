import { ProviderParam } from '@whence/server/features/sources/handoffs/contract.ts'

const providers = ProviderParam.options

export type Provider = (typeof providers)[number]

type Named = { id: Provider; name: string; group: 'ads' | 'crm' | 'payments' | 'store'; brings: string }

const names: Record<Provider, Omit<Named, 'id'>> = {
  social_ads: { name: 'Social Ads', group: 'ads', brings: 'Campaigns, spend, reach and instant-form leads' },
  engine_ads: { name: 'Engine Ads', group: 'ads', brings: 'Search campaigns, clicks and spend' },
  engine_search_console: { name: 'Search Console', group: 'ads', brings: 'Organic queries and pages' },
  crmsuite: { name: 'CRM Suite', group: 'crm', brings: 'Leads, appointments, quotes and won deals' },
  cardpay: { name: 'Cardpay', group: 'payments', brings: 'Card payments and refunds' },
  regionalpay: { name: 'Regionalpay', group: 'payments', brings: 'Regional payments and refunds' },
  storefront: { name: 'Storefront', group: 'store', brings: 'Orders, refunds and the store’s web pixel' },
}

export const namedProviders: Named[] = providers.map((id) => ({ id, ...names[id] }))

/** What a person calls it; sources that are no provider, such as an import, keep their own word. */
export function providerName(id: string): string {
  return names[id as Provider]?.name ?? sentence(id)
}

const platforms: Record<string, string> = { social: 'Social Ads', engine: 'Engine Ads' }

/** An ad platform by the word that touches and reports carry. */
export function platformName(platform: string): string {
  return platforms[platform] ?? providerName(platform)
}

const identifiers: Record<string, string> = {
  anonymous_id: 'Same browser',
  crm_contact_id: 'CRM contact',
  external_id: 'Your customer id',
  national_id: 'National id',
  provider_customer_id: 'Payment account',
}

/** What tied two records to one person. */
export function identifierName(kind: string): string {
  return identifiers[kind] ?? sentence(kind)
}

/** `appointment_booked` → `Appointment booked`. */
export function sentence(word: string): string {
  const text = word.replaceAll('_', ' ').replace(/\b(dm|api)\b/, (short) => short.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
