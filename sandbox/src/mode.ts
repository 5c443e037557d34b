/**
 * Sandbox mode: imitations of all providers, served next to the API, and the registrations that point to them. Loaded
 * only if the mode is on, so no production process loads an imitation.
 */
import { createBanklinkSandbox } from './banklink/sandbox.ts'
import { createCardpaySandbox } from './cardpay/sandbox.ts'
import { sandboxWebhookPublicKey } from './crmsuite/keys.ts'
import { createCrmsuiteSandbox } from './crmsuite/sandbox.ts'
import { createEngineAdsSandbox } from './engine-ads/sandbox.ts'
import { createEngineCalendarSandbox } from './engine-calendar/sandbox.ts'
import { createSearchConsoleSandbox } from './engine-search-console/sandbox.ts'
import { createExternalCalendarSandbox } from './external-calendar/sandbox.ts'
import { createGmailSandbox } from './gmail/sandbox.ts'
import { createHubspotSandbox } from './hubspot/sandbox.ts'
import { createLinkedinAdsSandbox } from './linkedin-ads/sandbox.ts'
import { createMicrosoftAdsSandbox } from './microsoft-ads/sandbox.ts'
import { createMicrosoftMailSandbox } from './microsoft-mail/sandbox.ts'
import { mountSandboxes } from './mount.ts'
import { createRegionalpaySandbox } from './regionalpay/sandbox.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { createShortvideoSandbox } from './shortvideo/sandbox.ts'
import { createSocialAdsSandbox } from './social-ads/sandbox.ts'
import { createStorefrontSandbox } from './storefront/sandbox.ts'
import { createTiktokAdsSandbox } from './tiktok-ads/sandbox.ts'
import { createWoocommerceSandbox } from './woocommerce/sandbox.ts'
import { sandboxPeople } from './world.ts'

const sandboxes = {
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
} satisfies Record<string, (options: SandboxOptions) => Sandbox>
/** Imitations that need an app registration. */
export type Registered = keyof typeof sandboxes | 'banklink'
const isByShop = (provider: string) => provider === 'storefront' || provider === 'woocommerce'
export const SEED = 'whence'

export type SandboxMode = ReturnType<typeof createSandboxMode>

export function createSandboxMode(options: {
  /** Of the service, which serves the imitations below `/sandbox/<name>`. */
  baseUrl: string
  secretOf: (name: string) => string
}) {
  function appOf(provider: Registered) {
    const secret = (name: string) => options.secretOf(`${provider}:${name}`)
    const clientSecret = secret('client')
    const base = `${options.baseUrl}/sandbox/${provider}${isByShop(provider) ? '/{shop}' : ''}`
    return {
      clientId: `sandbox-${provider}`,
      clientSecret,
      authorizeBaseUrl: base,
      apiBaseUrl: base,
      extra: {
        webhookSecret: secret('webhook'),
        // Only for the provider that signs with a key pair, because every start creates all of these.
        ...(provider === 'crmsuite' && {
          webhookPublicKey: sandboxWebhookPublicKey({ seed: SEED, clientSecret }),
        }),
        webhookVerifyToken: secret('verify'),
        developerToken: secret('developer'),
        // LinkedIn's products, all of which the imitation has approved.
        products: 'lead_sync,conversions,community_management',
        // Of the store app: where the store's admin opens it, and what its plans cost.
        appUrl: `${options.baseUrl}/welcome`,
        planGrowth: '49.00',
        planAgency: '199.00',
        messages: 'on',
        webhooks: 'on',
        webhookUrl: `${options.baseUrl}/webhooks/in/${provider}`,
        photoApiBaseUrl: `${base}/photo-login`,
        capiBaseUrl: base,
      },
    }
  }

  return {
    /** The registration at a provider's imitation. */
    appOf,
    create(parts: Pick<SandboxOptions, 'now' | 'sendWebhook' | 'postTo'>): Sandbox[] {
      const mounted = Object.entries(sandboxes).map(([name, create]) => {
        const { clientId, clientSecret, extra } = appOf(name as Registered)
        return create({ ...parts, seed: SEED, clientId, clientSecret, extra })
      })
      const none = { clientId: '', clientSecret: '', extra: {} }
      const shortvideo = createShortvideoSandbox({ ...parts, ...none, seed: SEED })
      return [...mounted, shortvideo, createBanklinkSandbox({ ...parts, ...appOf('banklink'), seed: SEED })]
    },
    mount: mountSandboxes,
    /** All people of the imitations. */
    people: (now: Date) => sandboxPeople(SEED, now),
  }
}
