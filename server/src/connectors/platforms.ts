/**
 * The public platform behind each neutral name, and what is required to run against it. External facts about
 * platforms are stored only here, each row with its source and the day it was read; docs/operating.md is generated from it.
 */
import type { Provider } from './connector.ts'

export type Platform = {
  name: Provider | 'banklink' | 'shortvideo'
  platform: string
  /** Where to register an app. */
  register: string
  /** Scopes of the consent; a test compares them with the connector's authorize URL. */
  scopes: readonly string[]
  /** `authorize_base_url` and `api_base_url` of the registration; null if there is no consent page. */
  authorizeBaseUrl: string | null
  apiBaseUrl: string
  /** Webhooks to subscribe to `BASE_URL/webhooks/in/<name>`; null if the platform sends none. */
  webhooks: string | null
  /** Members of `extra` with their meaning; a test compares them with the ones that the code reads. */
  extra: Readonly<Record<string, string>>
  notes: string
  source: string
  /** The day on which this row was compared with its source; null if it was not. */
  readOn: string | null
}

export const platforms: readonly Platform[] = [
  {
    name: 'social_ads',
    platform: 'Meta (Facebook and Instagram ads)',
    register: 'https://developers.facebook.com/apps, an app of type Business with the Marketing API',
    scopes: [
      'ads_read',
      'ads_management',
      'business_management',
      'pages_show_list',
      'pages_manage_metadata',
      'pages_read_engagement',
      'pages_manage_ads',
      'leads_retrieval',
    ],
    authorizeBaseUrl: 'https://www.facebook.com',
    apiBaseUrl: 'https://graph.facebook.com',
    webhooks:
      'the app’s Webhooks product: object Page, fields leadgen and, with `messages`, messages, message_echoes, message_deliveries, messaging_postbacks and messaging_referrals; object Instagram, fields messages and messaging_referral; object WhatsApp Business Account, field messages. Whence subscribes the pages and messaging accounts that a person chooses and the chat accounts of a template sync',
    extra: {
      webhookVerifyToken: 'the verify token entered in the app’s Webhooks product',
      configId:
        'optional: the id of a Facebook Login for Business configuration; it defines the permissions and, preferably, system-user tokens',
      messages:
        'optional: `on` also requests pages_messaging, instagram_basic, instagram_manage_messages, whatsapp_business_management, whatsapp_business_messaging, page_events and whatsapp_business_manage_events',
      photoApiBaseUrl:
        'optional: the API of photo accounts with their own login; `https://graph.instagram.com` when unset',
    },
    notes:
      'Every permission needs app review with advanced access before other businesses can grant it, and the Marketing API needs its access tier.',
    source:
      'https://developers.facebook.com/docs/permissions, https://developers.facebook.com/docs/graph-api/changelog, https://developers.facebook.com/documentation/facebook-login/facebook-login-for-business, https://developers.facebook.com/docs/marketing-api/guides/lead-ads/retrieving',
    readOn: '2026-11-16',
  },
  {
    name: 'engine_ads',
    platform: 'Google Ads',
    register: 'https://console.cloud.google.com/apis/credentials (OAuth client, type Web application)',
    scopes: ['https://www.googleapis.com/auth/adwords', 'https://www.googleapis.com/auth/datamanager'],
    authorizeBaseUrl: 'https://accounts.google.com',
    apiBaseUrl: 'https://googleads.googleapis.com',
    webhooks: null,
    extra: {
      oauthBaseUrl: '`https://oauth2.googleapis.com`',
      dataManagerBaseUrl: '`https://datamanager.googleapis.com`',
      loginCustomerId: 'optional: the manager account to call through',
    },
    notes:
      'Enable the Google Ads API and the Data Manager API in the client’s Cloud project and apply there for an access level: Explorer (2,880 operations a day on real accounts), Basic (15,000) or Standard. Developer tokens ended on 2026-09-09.',
    source: 'https://developers.google.com/google-ads/api/docs/api-policy/access-levels',
    readOn: '2026-11-16',
  },
  {
    name: 'engine_search_console',
    platform: 'Google Search Console',
    register: 'https://console.cloud.google.com/apis/credentials (the same OAuth client can be used)',
    scopes: ['https://www.googleapis.com/auth/webmasters.readonly'],
    authorizeBaseUrl: 'https://accounts.google.com',
    apiBaseUrl: 'https://www.googleapis.com',
    webhooks: null,
    extra: { oauthBaseUrl: '`https://oauth2.googleapis.com`' },
    notes: 'Enable the Search Console API in the client’s Cloud project.',
    source: 'https://developers.google.com/webmaster-tools/v1/how-tos/authorizing',
    readOn: '2026-11-16',
  },
  {
    name: 'engine_calendar',
    platform: 'Google Calendar',
    register: 'https://console.cloud.google.com/apis/credentials (the same OAuth client can be used)',
    scopes: [
      'https://www.googleapis.com/auth/calendar.readonly',
      'https://www.googleapis.com/auth/calendar.app.created',
      'https://www.googleapis.com/auth/calendar.acls',
    ],
    authorizeBaseUrl: 'https://accounts.google.com',
    apiBaseUrl: 'https://www.googleapis.com',
    webhooks: null,
    extra: { oauthBaseUrl: '`https://oauth2.googleapis.com`' },
    notes:
      'Enable the Google Calendar API in the client’s Cloud project. A person may decline the second and third scope: calendars can then be read, but not created or shared.',
    source:
      'https://developers.google.com/workspace/calendar/api/auth, https://googleapis.dev/dotnet/Google.Apis.Calendar.v3/latest/api/Google.Apis.Calendar.v3.CalendarService.ScopeConstants.html',
    readOn: '2026-11-17',
  },
  {
    name: 'external_calendar',
    platform: 'Microsoft 365 and Outlook (calendars)',
    register: 'https://entra.microsoft.com (App registrations, platform Web)',
    scopes: ['offline_access', 'User.Read', 'Calendars.Read'],
    authorizeBaseUrl: 'https://login.microsoftonline.com',
    apiBaseUrl: 'https://graph.microsoft.com',
    webhooks: null,
    extra: {
      tenant: 'optional: one directory instead of `common`, which accepts work, school and personal accounts',
    },
    notes:
      'Delegated permissions of Microsoft Graph. Calendars are only read. Disconnecting deletes the tokens here; the platform has no call to revoke them, so people remove the app at https://myapps.microsoft.com or https://account.live.com/consent/Manage.',
    source:
      'https://github.com/microsoftgraph/microsoft-graph-docs-contrib (api-reference/v1.0/api/event-delta.md, concepts/delta-query-events.md)',
    readOn: '2026-11-17',
  },
  {
    name: 'microsoft_ads',
    platform: 'Microsoft Advertising (Microsoft Ads, Bing Ads)',
    register:
      'https://entra.microsoft.com (App registrations; accounts in any organisation and personal accounts; platform Web), and a developer token at https://developers.ads.microsoft.com',
    scopes: ['https://ads.microsoft.com/msads.manage', 'offline_access'],
    authorizeBaseUrl: 'https://login.microsoftonline.com',
    apiBaseUrl: 'https://{service}.api.bingads.microsoft.com',
    webhooks: null,
    extra: {
      developerToken: 'the developer token, which is sent with each call',
      capiBaseUrl:
        'optional: the API that conversions are sent to; `https://capi.uet.microsoft.com` when unset',
      tenant: 'optional: one directory instead of `common`, which accepts work, school and personal accounts',
    },
    notes:
      'Keep `{service}` unchanged: accounts, campaigns and reports have separate hosts. People consent with a second factor. The platform has no call to revoke one app’s grant: after a disconnect the tokens are deleted here, and people remove the app at https://myapps.microsoft.com or https://account.live.com/consent/Manage.',
    source:
      'https://github.com/MicrosoftDocs/Advertising (bingads-13/guides/authentication-oauth-get-tokens.md, get-started.md, web-service-addresses.md)',
    readOn: '2026-11-17',
  },
  {
    name: 'crmsuite',
    platform: 'HighLevel',
    register: 'https://marketplace.gohighlevel.com (My Apps, target user Sub-Account)',
    scopes: [
      'contacts.readonly',
      'opportunities.readonly',
      'calendars.readonly',
      'calendars/events.readonly',
      'locations.readonly',
      'oauth.readonly',
      'oauth.write',
    ],
    authorizeBaseUrl: 'https://marketplace.gohighlevel.com',
    apiBaseUrl: 'https://services.leadconnectorhq.com',
    webhooks:
      'ContactCreate, ContactUpdate, ContactDelete, OpportunityCreate, OpportunityUpdate, OpportunityDelete, OpportunityStageUpdate, OpportunityStatusUpdate, OpportunityMonetaryValueUpdate, AppointmentCreate, AppointmentUpdate, AppointmentDelete, AppUninstall',
    extra: {
      webhookPublicKey:
        'the platform’s published webhook key (Ed25519): PEM, or base64 of its DER or of its 32 bytes',
      webhookRsaPublicKey:
        'its older key; according to the official client, deliveries are no longer signed with it',
      defaultCurrency:
        'optional: the currency of opportunities whose location has none; the currency of the profile when unset',
    },
    notes:
      'The target user cannot be changed after the app is created; a private app can be installed by 5 agencies.',
    source:
      'https://marketplace.gohighlevel.com/docs/oauth/GettingStarted, https://github.com/GoHighLevel/highlevel-api-docs',
    readOn: '2026-11-16',
  },
  {
    name: 'cardpay',
    platform: 'Stripe (Apps)',
    register:
      'https://docs.stripe.com/stripe-apps/create-app (the manifest is extensions/cardpay/stripe-app.json; upload it, publish it, copy the ca_ client id of its OAuth link)',
    scopes: [],
    authorizeBaseUrl: 'https://marketplace.stripe.com',
    apiBaseUrl: 'https://api.stripe.com',
    webhooks:
      'an endpoint for events on connected accounts: charge.*, refund.*, charge.dispute.*, charge.refund.updated, checkout.session.completed, checkout.session.async_payment_succeeded, account.application.deauthorized',
    extra: { webhookSecret: 'the signing secret of that webhook endpoint (whsec_…)' },
    notes:
      '`client_secret` is the secret key of the account that owns the app. The app’s permissions are set in its manifest, not in the consent URL. Connect OAuth, which Whence used before, is closed to new platforms and extensions; accounts that were linked through it continue to work with their token.',
    source: 'https://docs.stripe.com/stripe-apps/api-authentication/oauth',
    readOn: '2026-11-16',
  },
  {
    name: 'regionalpay',
    platform: 'Mercado Pago',
    register: 'https://www.mercadopago.com/developers/panel/app (enable OAuth with PKCE)',
    scopes: [],
    authorizeBaseUrl: 'https://auth.mercadopago.com',
    apiBaseUrl: 'https://api.mercadopago.com',
    webhooks:
      'Payments (payment), Orders (order, for the checkouts that use the Orders API) and Application linking (mp-connect)',
    extra: { webhookSecret: 'the signature secret of the app’s Webhooks page' },
    notes: 'Scopes are set on the app (read, write, offline_access), not in the consent URL.',
    source: 'https://www.mercadopago.com.br/developers/en/docs/security/oauth',
    readOn: '2026-11-16',
  },
  {
    name: 'storefront',
    platform: 'Shopify',
    register:
      'https://partners.shopify.com (Apps; manifest and web pixel are extensions/storefront, `shopify app deploy`)',
    scopes: [
      'read_orders',
      'read_all_orders',
      'read_customers',
      'read_customer_events',
      'write_pixels',
      'read_products',
    ],
    authorizeBaseUrl: 'https://{shop}.myshopify.com',
    apiBaseUrl: 'https://{shop}.myshopify.com',
    webhooks:
      'orders/create, orders/updated, orders/paid, orders/cancelled, refunds/create, products/create, products/update, products/delete, app/uninstalled and the compliance topics customers/data_request, customers/redact, shop/redact, subscribed by the manifest: Whence creates no subscriptions',
    extra: {
      webhookSecret: 'optional: the webhook secret, if it is not the client secret',
      planGrowth: 'optional: monthly price of the growth plan for stores of the app market, as `49.00`',
      planAgency: 'optional: monthly price of the agency plan for stores of the app market',
      planCurrency: 'optional: the currency of both prices; `USD` when unset',
    },
    notes: '`read_all_orders` and customer data need Shopify’s approval; keep `{shop}` unchanged.',
    source:
      'https://shopify.dev/docs/api/usage/access-scopes, https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance',
    readOn: '2026-11-16',
  },
  {
    name: 'woocommerce',
    platform: 'WooCommerce',
    register:
      'nowhere: shops have no app registration. `client_id` is the name that people see in their shop, `client_secret` any long random text; webhooks are signed with a key derived from it',
    scopes: ['read'],
    authorizeBaseUrl: 'https://{shop}',
    apiBaseUrl: 'https://{shop}',
    webhooks:
      'nothing to configure: with `webhooks` Whence creates order.created, order.updated, order.deleted and order.restored in the shop, and creates them again if the shop has disabled them',
    extra: {
      webhooks:
        'optional: `on` requests read and write access, which creating webhooks requires; without it shops are read by the sync only',
    },
    notes:
      'A person who may manage the shop approves. The shop must use TLS and any permalink structure except “Plain”, and Whence needs a public https address, to which the shop posts the keys; keep `{shop}` unchanged. Keys are deleted in the shop: WooCommerce → Settings → Advanced → REST API.',
    source:
      'https://woocommerce.github.io/woocommerce-rest-api-docs/, https://github.com/woocommerce/woocommerce (class-wc-auth.php, class-wc-webhook.php)',
    readOn: '2026-11-17',
  },
  {
    name: 'hubspot',
    platform: 'HubSpot',
    register: 'https://developers.hubspot.com, a project app with OAuth (`hs project create`)',
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.deals.read'],
    authorizeBaseUrl: 'https://app.hubspot.com',
    apiBaseUrl: 'https://api.hubapi.com',
    webhooks:
      'in the app’s webhooks component: creation, deletion, merge, restore and propertyChange (email, phone, firstname, lastname, hs_google_click_id, hs_facebook_click_id) of contacts; creation, deletion, restore, associationChange and propertyChange (dealstage, amount, closedate, deal_currency_code) of deals; contact.privacyDeletion. Both the older form (contact.creation) and object.creation are supported',
    extra: {
      webhookUrl:
        'optional: the target URL of the webhooks component, if it is not `BASE_URL/webhooks/in/hubspot`; it is part of the signed data',
    },
    notes:
      'New legacy public apps cannot be created since May 2026. The manifest lists the scopes above as required and `forms` as optional. A person who may install apps chooses one account.',
    source:
      'https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide, https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation',
    readOn: '2026-11-17',
  },
  {
    name: 'linkedin_ads',
    platform: 'LinkedIn Ads',
    register:
      'https://www.linkedin.com/developers/apps (product Advertising API; Lead Sync API, Conversions API and Community Management API as needed, each with a separate approval)',
    scopes: ['r_ads', 'rw_ads', 'r_ads_reporting'],
    authorizeBaseUrl: 'https://www.linkedin.com',
    apiBaseUrl: 'https://api.linkedin.com',
    webhooks:
      'nothing to configure: with an https address Whence subscribes each connected account to notifications of its leads; LinkedIn checks the address every two hours',
    extra: {
      webhookUrl: 'optional: the address of notifications, if it is not `BASE_URL/webhooks/in/linkedin_ads`',
      products:
        'optional: the further products that LinkedIn approved for the app, separated by commas: `lead_sync` (leads: r_marketing_leadgen_automation, r_organization_admin), `conversions` (conversions to LinkedIn: rw_conversions), `community_management` (texts and images of ads: r_organization_social). Only their scopes are requested, because LinkedIn refuses a consent with a scope of a product that the app does not have',
      posts: 'of earlier releases: `on` is `community_management` in `products`',
    },
    notes:
      'A person with a role in the ad account consents. Tokens live 60 days; only approved partners get refresh tokens, and these expire 365 days after the consent. Disconnecting deletes the tokens here; no call to revoke them is documented, so people remove the app at LinkedIn under Settings, Data privacy, Permitted services.',
    source:
      'https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens, https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads-reporting/ads-reporting, https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/cursor-based-pagination, https://learn.microsoft.com/en-us/linkedin/marketing/lead-sync/leadsync, https://learn.microsoft.com/en-us/linkedin/shared/api-guide/webhook-validation, https://learn.microsoft.com/en-us/linkedin/marketing/increasing-access',
    readOn: '2026-11-17',
  },
  {
    name: 'gmail',
    platform: 'Gmail',
    register:
      'https://console.cloud.google.com/apis/credentials (a separate OAuth client: revoking a grant revokes every grant of the person to that client)',
    scopes: ['https://www.googleapis.com/auth/gmail.send', 'openid', 'email'],
    authorizeBaseUrl: 'https://accounts.google.com',
    apiBaseUrl: 'https://gmail.googleapis.com',
    webhooks: null,
    extra: {
      oauthBaseUrl: '`https://oauth2.googleapis.com`',
      userinfoBaseUrl: '`https://openidconnect.googleapis.com`',
    },
    notes:
      'Enable the Gmail API in the client’s Cloud project. `gmail.send` is a sensitive scope: the consent screen needs Google’s verification before people outside the project’s organisation can grant it. It gives no access to received mail.',
    source:
      'https://developers.google.com/workspace/gmail/api/auth/scopes, https://developers.google.com/workspace/gmail/api/guides/handle-errors',
    readOn: '2026-11-17',
  },
  {
    name: 'microsoft_mail',
    platform: 'Microsoft 365 and Outlook.com',
    register:
      'https://entra.microsoft.com (App registrations; accounts in any organisation and personal accounts; platform Web)',
    scopes: [
      'offline_access',
      'https://graph.microsoft.com/Mail.Send',
      'https://graph.microsoft.com/User.Read',
    ],
    authorizeBaseUrl: 'https://login.microsoftonline.com',
    apiBaseUrl: 'https://graph.microsoft.com',
    webhooks: null,
    extra: { tenant: 'optional: the tenant of a registration for one organisation; `common` when unset' },
    notes:
      'Delegated permissions Mail.Send and User.Read; an organisation may require its administrator’s consent. The platform has no call to revoke one app’s grant: after a disconnect the tokens are deleted here, and people remove the app at https://myapps.microsoft.com.',
    source:
      'https://learn.microsoft.com/en-us/graph/api/user-sendmail, https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow',
    readOn: '2026-11-17',
  },
  {
    name: 'tiktok_ads',
    platform: 'TikTok Ads',
    register:
      'https://business-api.tiktok.com/portal (My Apps), an app of TikTok API for Business; it requires a company website and a review',
    scopes: [],
    authorizeBaseUrl: 'https://business-api.tiktok.com',
    apiBaseUrl: 'https://business-api.tiktok.com',
    webhooks: null,
    extra: {},
    notes:
      'client_id and client_secret are the app’s App ID and secret. Permissions belong to the app, not to the consent: Ad Account Management, Ads Management, Reporting, Creative Management (with Instant Page Management), GMV Max where shops advertise (store management and GMV Max reports), and Lead Management for leads, which only admins of the ad account may read. Register the callback as an advertiser redirect URL. TikTok’s own sandbox is `https://sandbox-ads.tiktok.com` as api_base_url.',
    source:
      'https://github.com/tiktok/tiktok-business-api-sdk (2026-02-28), https://business-api.tiktok.com/portal/docs as quoted by others',
    readOn: '2026-11-17',
  },
  {
    name: 'banklink',
    platform: 'Plaid',
    register: 'https://dashboard.plaid.com/developers/keys',
    scopes: [],
    authorizeBaseUrl: null,
    apiBaseUrl: 'https://production.plaid.com',
    webhooks:
      'SESSION_FINISHED of each link, requested with the link itself: nothing to configure in the dashboard',
    extra: { countryCodes: 'optional: countries of the offered banks, as `US,CA`; `US` when unset' },
    notes:
      'No consent page of ours: the person uses Plaid’s hosted link. Set `authorize_base_url` to the same address.',
    source:
      'https://plaid.com/docs/link/hosted-link/, https://plaid.com/docs/api/webhooks/webhook-verification/',
    readOn: '2026-11-16',
  },
  {
    name: 'shortvideo',
    platform: 'TikTok (Events API)',
    register: 'https://ads.tiktok.com (Events Manager, an access token per pixel)',
    scopes: [],
    authorizeBaseUrl: null,
    apiBaseUrl: 'https://business-api.tiktok.com',
    webhooks: null,
    extra: {},
    notes:
      'No registration: each export destination has its own token. `SHORTVIDEO_BASE_URL` overrides the address.',
    source: 'https://business-api.tiktok.com/portal/docs',
    readOn: null,
  },
]
