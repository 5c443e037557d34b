/** The connectors this deployment has a registration for, each with its own way out. */
import type { Config } from '../config.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Keyring, subkey } from '../secrets/keyring.ts'
import { createBanklinkSandbox } from './banklink/sandbox/sandbox.ts'
import type { BillingAccount } from './cardpay/checkout.ts'
import { cardpay } from './cardpay/connector.ts'
import { createCardpaySandbox } from './cardpay/sandbox/sandbox.ts'
import { type Connector, type Provider, type ProviderApp, providers } from './connector.ts'
import { crmsuite } from './crmsuite/connector.ts'
import { sandboxWebhookPublicKey } from './crmsuite/sandbox/keys.ts'
import { createCrmsuiteSandbox } from './crmsuite/sandbox/sandbox.ts'
import { engineAds } from './engine-ads/connector.ts'
import { createEngineAdsSandbox } from './engine-ads/sandbox/sandbox.ts'
import { engineSearchConsole } from './engine-search-console/connector.ts'
import { createSearchConsoleSandbox } from './engine-search-console/sandbox/sandbox.ts'
import { createProviderHttp, type ProviderHttp } from './provider-http.ts'
import { regionalpay } from './regionalpay/connector.ts'
import { createRegionalpaySandbox } from './regionalpay/sandbox/sandbox.ts'
import type { Sandbox, SandboxOptions } from './sandbox/sandbox.ts'
import { createShortvideoSandbox } from './shortvideo/sandbox/sandbox.ts'
import { socialAds } from './social-ads/connector.ts'
import { createSocialAdsSandbox } from './social-ads/sandbox/sandbox.ts'
import { storefront } from './storefront/connector.ts'
import { createStorefrontSandbox } from './storefront/sandbox/sandbox.ts'

const connectors: Record<Provider, Connector> = {
  social_ads: socialAds,
  engine_ads: engineAds,
  engine_search_console: engineSearchConsole,
  crmsuite,
  cardpay,
  regionalpay,
  storefront,
}

const sandboxes: Record<Provider, (options: SandboxOptions) => Sandbox> = {
  social_ads: createSocialAdsSandbox,
  engine_ads: createEngineAdsSandbox,
  engine_search_console: createSearchConsoleSandbox,
  crmsuite: createCrmsuiteSandbox,
  cardpay: createCardpaySandbox,
  regionalpay: createRegionalpaySandbox,
  storefront: createStorefrontSandbox,
}
export const SEED = 'whence'

/** A connector with the registration and the HTTP client to use it with. */
export type ConfiguredProvider = {
  provider: Provider
  connector: Connector
  app: ProviderApp
  http: ProviderHttp
}
export type Providers = ReadonlyMap<Provider, ConfiguredProvider>

export function createProviders(config: Config, keyring: Keyring, outbound: Outbound): Providers {
  const found = new Map<Provider, ConfiguredProvider>()
  for (const provider of providers) {
    const connector = connectors[provider]
    const app = appOf(config, keyring, provider)
    if (app !== undefined)
      found.set(provider, { provider, connector, app, http: createProviderHttp(outbound) })
  }
  return found
}

export type Banklink = { app: ProviderApp; http: ProviderHttp }

/** A bank is linked without OAuth, so it stands beside the connectors. */
export function createBanklink(config: Config, keyring: Keyring, outbound: Outbound): Banklink | undefined {
  const app = appOf(config, keyring, 'banklink')
  return app && { app, http: createProviderHttp(outbound) }
}

export type Billing = { account: BillingAccount; http: ProviderHttp }

export function createBilling(config: Config, outbound: Outbound): Billing | undefined {
  if (config.billing === undefined) return undefined
  const { secret_key: secretKey, api_base_url: apiBaseUrl, prices } = config.billing
  return { account: { secretKey, apiBaseUrl, prices }, http: createProviderHttp(outbound) }
}

/** In sandbox mode a provider without a registration is the imitation beside the API. */
function appOf(config: Config, keyring: Keyring, provider: Provider | 'banklink'): ProviderApp | undefined {
  const given = config.providers[provider]
  if (given !== undefined)
    return {
      clientId: given.client_id,
      clientSecret: given.client_secret,
      authorizeBaseUrl: given.authorize_base_url,
      apiBaseUrl: given.api_base_url,
      extra: given.extra,
    }
  return config.SANDBOX ? sandboxApp(config.BASE_URL, keyring, provider) : undefined
}

function sandboxApp(baseUrl: string, keyring: Keyring, provider: Provider | 'banklink'): ProviderApp {
  const secret = (name: string) => subkey(keyring.current, `sandbox:${provider}:${name}`).toString('hex')
  const clientSecret = secret('client')
  const base = `${baseUrl}/sandbox/${provider}${provider === 'storefront' ? '/{shop}' : ''}`
  return {
    clientId: `sandbox-${provider}`,
    clientSecret,
    authorizeBaseUrl: base,
    apiBaseUrl: base,
    extra: {
      webhookSecret: secret('webhook'),
      webhookPublicKey: sandboxWebhookPublicKey({ seed: SEED, clientSecret }),
      webhookVerifyToken: secret('verify'),
      developerToken: secret('developer'),
    },
  }
}

/** The short-video Events API knows no registration: each destination brings a token of its own. */
export function shortvideoApp(config: Config): { apiBaseUrl: string } {
  const usual = config.SANDBOX ? `${config.BASE_URL}/sandbox/shortvideo` : 'https://business-api.tiktok.com'
  return { apiBaseUrl: config.SHORTVIDEO_BASE_URL ?? usual }
}

/** The imitations that sandbox mode serves, made for the registrations above. */
export function createSandboxes(
  config: Config,
  keyring: Keyring,
  parts: Pick<SandboxOptions, 'now' | 'sendWebhook'>,
): Sandbox[] {
  const made = providers.map((provider) => {
    const { clientId, clientSecret, extra } = sandboxApp(config.BASE_URL, keyring, provider)
    return sandboxes[provider]({ ...parts, seed: SEED, clientId, clientSecret, extra })
  })
  const shortvideo = createShortvideoSandbox({
    ...parts,
    seed: SEED,
    clientId: '',
    clientSecret: '',
    extra: {},
  })
  const bank = sandboxApp(config.BASE_URL, keyring, 'banklink')
  return [...made, shortvideo, createBanklinkSandbox({ ...parts, ...bank, seed: SEED })]
}
