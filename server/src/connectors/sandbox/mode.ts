/**
 * Sandbox mode: an imitation of every provider next to the API, and the registrations that lead to them. Loaded only
 * when the mode is on, so no production process holds an imitation.
 */
import type { Config } from '../../config.ts'
import { type Keyring, subkey } from '../../platform/secrets/keyring.ts'
import { createBanklinkSandbox } from '../banklink/sandbox/sandbox.ts'
import { createCardpaySandbox } from '../cardpay/sandbox/sandbox.ts'
import { type Provider, type ProviderApp, providers } from '../connector.ts'
import { sandboxWebhookPublicKey } from '../crmsuite/sandbox/keys.ts'
import { createCrmsuiteSandbox } from '../crmsuite/sandbox/sandbox.ts'
import { createEngineAdsSandbox } from '../engine-ads/sandbox/sandbox.ts'
import { createEngineCalendarSandbox } from '../engine-calendar/sandbox/sandbox.ts'
import { createSearchConsoleSandbox } from '../engine-search-console/sandbox/sandbox.ts'
import { createExternalCalendarSandbox } from '../external-calendar/sandbox/sandbox.ts'
import { createGmailSandbox } from '../gmail/sandbox/sandbox.ts'
import { createHubspotSandbox } from '../hubspot/sandbox/sandbox.ts'
import { createLinkedinAdsSandbox } from '../linkedin-ads/sandbox/sandbox.ts'
import { mailboxVendors } from '../mailbox.ts'
import { createMicrosoftAdsSandbox } from '../microsoft-ads/sandbox/sandbox.ts'
import { createMicrosoftMailSandbox } from '../microsoft-mail/sandbox/sandbox.ts'
import { createRegionalpaySandbox } from '../regionalpay/sandbox/sandbox.ts'
import { createShortvideoSandbox } from '../shortvideo/sandbox/sandbox.ts'
import { createSocialAdsSandbox } from '../social-ads/sandbox/sandbox.ts'
import { createStorefrontSandbox } from '../storefront/sandbox/sandbox.ts'
import { createTiktokAdsSandbox } from '../tiktok-ads/sandbox/sandbox.ts'
import { createWoocommerceSandbox } from '../woocommerce/sandbox/sandbox.ts'
import { mountSandboxes } from './mount.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { sandboxPeople } from './world.ts'

const sandboxes: Record<Provider, (options: SandboxOptions) => Sandbox> = {
  social_ads: createSocialAdsSandbox,
  engine_ads: createEngineAdsSandbox,
  engine_search_console: createSearchConsoleSandbox,
  engine_calendar: createEngineCalendarSandbox,
  external_calendar: createExternalCalendarSandbox,
  microsoft_ads: createMicrosoftAdsSandbox,
  crmsuite: createCrmsuiteSandbox,
  cardpay: createCardpaySandbox,
  regionalpay: createRegionalpaySandbox,
  storefront: createStorefrontSandbox,
  woocommerce: createWoocommerceSandbox,
  hubspot: createHubspotSandbox,
  linkedin_ads: createLinkedinAdsSandbox,
  tiktok_ads: createTiktokAdsSandbox,
  gmail: createGmailSandbox,
  microsoft_mail: createMicrosoftMailSandbox,
}
const isByShop = (provider: string) => provider === 'storefront' || provider === 'woocommerce'
export const SEED = 'whence'

export type SandboxMode = ReturnType<typeof createSandboxMode>

export function createSandboxMode(config: Config, keyring: Keyring) {
  function appOf(provider: Provider | 'banklink'): ProviderApp {
    const secret = (name: string) => subkey(keyring.current, `sandbox:${provider}:${name}`).toString('hex')
    const clientSecret = secret('client')
    const base = `${config.BASE_URL}/sandbox/${provider}${isByShop(provider) ? '/{shop}' : ''}`
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
        messages: 'on',
        webhooks: 'on',
        webhookUrl: `${config.BASE_URL}/webhooks/in/${provider}`,
        photoApiBaseUrl: `${base}/photo-login`,
        capiBaseUrl: base,
      },
    }
  }

  return {
    /** The registration at a provider's imitation. */
    appOf,
    create(parts: Pick<SandboxOptions, 'now' | 'sendWebhook' | 'postTo'>): Sandbox[] {
      const made = [...providers, ...mailboxVendors].map((provider) => {
        const { clientId, clientSecret, extra } = appOf(provider)
        return sandboxes[provider]({ ...parts, seed: SEED, clientId, clientSecret, extra })
      })
      const none = { clientId: '', clientSecret: '', extra: {} }
      const shortvideo = createShortvideoSandbox({ ...parts, ...none, seed: SEED })
      return [...made, shortvideo, createBanklinkSandbox({ ...parts, ...appOf('banklink'), seed: SEED })]
    },
    mount: mountSandboxes,
    /** Everyone that the imitations know. */
    people: (now: Date) => sandboxPeople(SEED, now),
  }
}
