/** The connectors this deployment has a registration for, each with its own way out. */

import type { SandboxMode } from '@whence/sandbox/mode.ts'
import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { createWebhookKeys, type WebhookKeys } from './banklink/webhook.ts'
import type { BillingAccount } from './cardpay/checkout.ts'
import { cardpay } from './cardpay/connector.ts'
import { type Connector, type Provider, type ProviderApp, ProviderError, providers } from './connector.ts'
import { crmsuite } from './crmsuite/connector.ts'
import { engineAds } from './engine-ads/connector.ts'
import { engineCalendar } from './engine-calendar/connector.ts'
import { engineSearchConsole } from './engine-search-console/connector.ts'
import { externalCalendar } from './external-calendar/connector.ts'
import { gmail } from './gmail/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { linkedinAds } from './linkedin-ads/connector.ts'
import { mailboxVendors } from './mailbox.ts'
import { microsoftAds } from './microsoft-ads/connector.ts'
import { microsoftMail } from './microsoft-mail/connector.ts'
import { createProviderHttp, type ProviderHttp } from './provider-http.ts'
import { regionalpay } from './regionalpay/connector.ts'
import { socialAds } from './social-ads/connector.ts'
import { storefront } from './storefront/connector.ts'
import { tiktokAds } from './tiktok-ads/connector.ts'
import { endingSoon, endOf } from './versions.ts'
import { woocommerce } from './woocommerce/connector.ts'

const connectors: Record<Provider, Connector> = {
  social_ads: socialAds,
  engine_ads: engineAds,
  engine_search_console: engineSearchConsole,
  engine_calendar: engineCalendar,
  external_calendar: externalCalendar,
  microsoft_ads: microsoftAds,
  crmsuite,
  cardpay,
  regionalpay,
  storefront,
  woocommerce,
  hubspot,
  linkedin_ads: linkedinAds,
  tiktok_ads: tiktokAds,
  gmail,
  microsoft_mail: microsoftMail,
}

/** Whether a provider can do something: whether its connector has the facet. */
export const offers = (provider: string, facet: keyof Connector): boolean =>
  connectors[provider as Provider]?.[facet] !== undefined

/** Rows of docs/connectors.md. */
export function abilitiesTable(): string {
  const rows = Object.entries(connectors).map(([provider, connector]) => {
    const facets = Object.entries(connector).flatMap(([name, part]) =>
      typeof part === 'object' && name !== 'oauth' ? [`\`${name}\``] : [],
    )
    return `| ${provider} | ${facets.join(' ')} |`
  })
  return ['| Provider | Facets |', '|---|---|', ...rows].join('\n')
}

/** A connector with the registration and the HTTP client to use it with. */
export type ConfiguredProvider = {
  provider: Provider
  connector: Connector
  app: ProviderApp
  http: ProviderHttp
}
export type Providers = ReadonlyMap<Provider, ConfiguredProvider>

export function createProviders(
  config: Config,
  outbound: Outbound,
  sandbox: SandboxMode | undefined,
  /** For accounts whose address a user types: public addresses only. */
  publicOutbound: Outbound,
  watch: { log: Pick<Log, 'warn'>; today: () => string } = { log: { warn: () => {} }, today: machineDay },
): Providers {
  const found = new Map<Provider, ConfiguredProvider>()
  for (const provider of [...providers, ...mailboxVendors]) {
    const connector = connectors[provider]
    const app = appOf(config, sandbox, provider)
    if (app === undefined) continue
    const isReal = config.providers[provider] !== undefined
    if (isReal) warnOfEnd(provider, watch)
    const ownWay = isReal && typedAddresses.has(provider) ? publicOutbound : outbound
    const way = isReal ? whileAlive(ownWay, provider, watch.today) : outbound
    found.set(provider, { provider, connector, app, http: createProviderHttp(way) })
  }
  return found
}

const typedAddresses: ReadonlySet<Provider> = new Set(['woocommerce'])

const machineDay = () => new Date().toISOString().slice(0, 10)

function warnOfEnd(
  provider: Provider,
  { log, today }: { log: Pick<Log, 'warn'>; today: () => string },
): void {
  const warning = endOf(provider, today()) ?? endingSoon(provider, today())
  if (warning !== null) log.warn(warning)
}

/** After the end of the version every call is refused with the reason, which the connection shows as its last error. */
function whileAlive(outbound: Outbound, provider: Provider, today: () => string): Outbound {
  return {
    close: () => outbound.close(),
    async send(request) {
      const ended = endOf(provider, today())
      if (ended !== null) throw new ProviderError('rejected', ended, { providerCode: 'api_version_ended' })
      return outbound.send(request)
    },
  }
}

export type Banklink = { app: ProviderApp; http: ProviderHttp; webhookKeys: WebhookKeys }

/** A bank is linked without OAuth, so it is next to the connectors. */
export function createBanklink(
  config: Config,
  outbound: Outbound,
  sandbox: SandboxMode | undefined,
): Banklink | undefined {
  const app = appOf(config, sandbox, 'banklink')
  if (app === undefined) return undefined
  const http = createProviderHttp(outbound)
  return { app, http, webhookKeys: createWebhookKeys(http, app) }
}

export type Billing = { account: BillingAccount; http: ProviderHttp }

export function createBilling(config: Config, outbound: Outbound): Billing | undefined {
  if (config.billing === undefined) return undefined
  const {
    secret_key: secretKey,
    api_base_url: apiBaseUrl,
    prices,
    webhook_secret: webhookSecret,
  } = config.billing
  return { account: { secretKey, apiBaseUrl, prices, webhookSecret }, http: createProviderHttp(outbound) }
}

/** In sandbox mode a provider without a registration is the imitation next to the API. */
function appOf(
  config: Config,
  sandbox: SandboxMode | undefined,
  provider: Provider | 'banklink',
): ProviderApp | undefined {
  const given = config.providers[provider]
  if (given !== undefined)
    return {
      clientId: given.client_id,
      clientSecret: given.client_secret,
      authorizeBaseUrl: given.authorize_base_url,
      apiBaseUrl: given.api_base_url,
      // Some platforms sign the address that they send webhooks to.
      extra: { webhookUrl: `${config.BASE_URL}/webhooks/in/${provider}`, ...given.extra },
    }
  return sandbox?.appOf(provider)
}

export type Shortvideo = { app: { apiBaseUrl: string }; http: ProviderHttp }

export function createShortvideo(config: Config, outbound: Outbound): Shortvideo {
  return { app: shortvideoApp(config), http: createProviderHttp(outbound) }
}

/** The short-video Events API knows no registration: each destination brings a token of its own. */
export function shortvideoApp(config: Config): { apiBaseUrl: string } {
  const usual = config.SANDBOX ? `${config.BASE_URL}/sandbox/shortvideo` : 'https://business-api.tiktok.com'
  return { apiBaseUrl: config.SHORTVIDEO_BASE_URL ?? usual }
}
