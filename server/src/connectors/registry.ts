/** Connectors for which this deployment has a registration, each with its HTTP client. */

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
import { versionEndError, versionEndWarning } from './versions.ts'
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

/** Whether the provider's connector has a facet. */
export const hasFacet = (provider: string, facet: keyof Connector): boolean =>
  connectors[provider as Provider]?.[facet] !== undefined

/** The generated table of docs/connectors.md. */
export function facetsTable(): string {
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
/** By name; a stored or requested name may be unknown. */
export type Providers = ReadonlyMap<string, ConfiguredProvider>

export function createProviders(
  config: Config,
  outbound: Outbound,
  sandbox: SandboxMode | undefined,
  /** For accounts whose address a user enters: connects to public addresses only. */
  publicOutbound: Outbound,
  watch: { log: Pick<Log, 'warn'>; today: () => string } = { log: { warn: () => {} }, today: todayUtc },
): Providers {
  const configured = new Map<Provider, ConfiguredProvider>()
  for (const provider of [...providers, ...mailboxVendors]) {
    const connector = connectors[provider]
    const app = appOf(config, sandbox, provider)
    if (app === undefined) continue
    const isReal = config.providers[provider] !== undefined
    if (isReal) warnOfVersionEnd(provider, watch)
    const allowedOutbound = isReal && userEnteredHosts.has(provider) ? publicOutbound : outbound
    const providerOutbound = isReal ? refuseAfterVersionEnd(allowedOutbound, provider, watch.today) : outbound
    configured.set(provider, { provider, connector, app, http: createProviderHttp(providerOutbound) })
  }
  return configured
}

const userEnteredHosts: ReadonlySet<Provider> = new Set(['woocommerce'])

const todayUtc = () => new Date().toISOString().slice(0, 10)

function warnOfVersionEnd(
  provider: Provider,
  { log, today }: { log: Pick<Log, 'warn'>; today: () => string },
): void {
  const warning = versionEndError(provider, today()) ?? versionEndWarning(provider, today())
  if (warning !== null) log.warn(warning)
}

/** After the end of the API version every call fails with a message that the connection shows as its last error. */
function refuseAfterVersionEnd(outbound: Outbound, provider: Provider, today: () => string): Outbound {
  return {
    close: () => outbound.close(),
    async send(request) {
      const endMessage = versionEndError(provider, today())
      if (endMessage !== null)
        throw new ProviderError('rejected', endMessage, { providerCode: 'api_version_ended' })
      return outbound.send(request)
    },
  }
}

export type Banklink = { app: ProviderApp; http: ProviderHttp; webhookKeys: WebhookKeys }

/** A bank link uses no OAuth, so it is not a `Connector`. */
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

/** In sandbox mode a provider without a registration is the bundled imitation. */
function appOf(
  config: Config,
  sandbox: SandboxMode | undefined,
  provider: Provider | 'banklink',
): ProviderApp | undefined {
  const registration = config.providers[provider]
  if (registration !== undefined)
    return {
      clientId: registration.client_id,
      clientSecret: registration.client_secret,
      authorizeBaseUrl: registration.authorize_base_url,
      apiBaseUrl: registration.api_base_url,
      // Some platforms include the webhook address in the signature.
      extra: { webhookUrl: `${config.BASE_URL}/webhooks/in/${provider}`, ...registration.extra },
    }
  return sandbox?.appOf(provider)
}

export type Shortvideo = { app: { apiBaseUrl: string }; http: ProviderHttp }

export function createShortvideo(config: Config, outbound: Outbound): Shortvideo {
  return { app: shortvideoApp(config), http: createProviderHttp(outbound) }
}

/** The short-video Events API needs no app registration: each destination has its own token. */
export function shortvideoApp(config: Config): { apiBaseUrl: string } {
  const defaultUrl = config.SANDBOX
    ? `${config.BASE_URL}/sandbox/shortvideo`
    : 'https://business-api.tiktok.com'
  return { apiBaseUrl: config.SHORTVIDEO_BASE_URL ?? defaultUrl }
}
