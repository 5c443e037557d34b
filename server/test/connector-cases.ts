/** Every connector with its sandbox; the suite fails if a provider is missing here. */

import { createCardpaySandbox } from '@whence/sandbox/cardpay/sandbox.ts'
import { sandboxWebhookPublicKey } from '@whence/sandbox/crmsuite/keys.ts'
import { createCrmsuiteSandbox } from '@whence/sandbox/crmsuite/sandbox.ts'
import { createEngineAdsSandbox } from '@whence/sandbox/engine-ads/sandbox.ts'
import { createEngineCalendarSandbox } from '@whence/sandbox/engine-calendar/sandbox.ts'
import { createSearchConsoleSandbox } from '@whence/sandbox/engine-search-console/sandbox.ts'
import { createExternalCalendarSandbox } from '@whence/sandbox/external-calendar/sandbox.ts'
import { createGmailSandbox } from '@whence/sandbox/gmail/sandbox.ts'
import { createHubspotSandbox } from '@whence/sandbox/hubspot/sandbox.ts'
import { createLinkedinAdsSandbox } from '@whence/sandbox/linkedin-ads/sandbox.ts'
import { createMicrosoftAdsSandbox } from '@whence/sandbox/microsoft-ads/sandbox.ts'
import { createMicrosoftMailSandbox } from '@whence/sandbox/microsoft-mail/sandbox.ts'
import { createRegionalpaySandbox } from '@whence/sandbox/regionalpay/sandbox.ts'
import { createSocialAdsSandbox } from '@whence/sandbox/social-ads/sandbox.ts'
import { createStorefrontSandbox } from '@whence/sandbox/storefront/sandbox.ts'
import { createTiktokAdsSandbox } from '@whence/sandbox/tiktok-ads/sandbox.ts'
import { createWoocommerceSandbox } from '@whence/sandbox/woocommerce/sandbox.ts'
import { cardpay } from '../src/connectors/cardpay/connector.ts'
import { crmsuite } from '../src/connectors/crmsuite/connector.ts'
import { engineAds } from '../src/connectors/engine-ads/connector.ts'
import { engineCalendar } from '../src/connectors/engine-calendar/connector.ts'
import { engineSearchConsole } from '../src/connectors/engine-search-console/connector.ts'
import { externalCalendar } from '../src/connectors/external-calendar/connector.ts'
import { gmail } from '../src/connectors/gmail/connector.ts'
import { hubspot } from '../src/connectors/hubspot/connector.ts'
import { linkedinAds } from '../src/connectors/linkedin-ads/connector.ts'
import { microsoftAds } from '../src/connectors/microsoft-ads/connector.ts'
import { microsoftMail } from '../src/connectors/microsoft-mail/connector.ts'
import { regionalpay } from '../src/connectors/regionalpay/connector.ts'
import { socialAds } from '../src/connectors/social-ads/connector.ts'
import { storefront } from '../src/connectors/storefront/connector.ts'
import { tiktokAds } from '../src/connectors/tiktok-ads/connector.ts'
import { woocommerce } from '../src/connectors/woocommerce/connector.ts'
import { type ConnectorCase, clientSecret } from './sandbox-server.ts'

export const connectorCases: ConnectorCase[] = [
  {
    connector: socialAds,
    createSandbox: createSocialAdsSandbox,
    extra: { webhookVerifyToken: 'a shared word', messages: 'on' },
    shop: null,
    hasPkce: true,
    severalCount: 3,
    canBeEmpty: true,
    syncPath: '/v26.0/act_',
    webhookAction: 'lead',
    restates: true,
    leftOut: (record) =>
      record.type === 'delivery' &&
      record.platformConversionsMilli === null &&
      record.messagingConversationsStarted7d === null,
  },
  {
    connector: engineAds,
    createSandbox: createEngineAdsSandbox,
    extra: {},
    shop: null,
    hasPkce: true,
    severalCount: 3,
    canBeEmpty: true,
    syncPath: '/v26/customers/',
    webhookAction: null,
    restates: true,
    leftOut: (record) => record.type === 'delivery' && record.platformConversionValueMinor === null,
  },
  {
    connector: engineSearchConsole,
    createSandbox: createSearchConsoleSandbox,
    extra: {},
    shop: null,
    hasPkce: true,
    severalCount: 2,
    canBeEmpty: true,
    syncPath: '/webmasters/v3/sites/',
    webhookAction: null,
    restates: false,
    leftOut: (record) => record.type === 'search_query' && record.positionMilli === null,
  },
  {
    connector: engineCalendar,
    createSandbox: createEngineCalendarSandbox,
    extra: {},
    shop: null,
    hasPkce: true,
    severalCount: 1,
    canBeEmpty: true,
    syncPath: '/calendar/v3/calendars/',
    webhookAction: null,
    restates: false,
    leftOut: (record) => record.type === 'meeting' && record.attendees.length === 0,
  },
  {
    connector: externalCalendar,
    createSandbox: createExternalCalendarSandbox,
    extra: {},
    shop: null,
    hasPkce: true,
    severalCount: 1,
    canBeEmpty: true,
    cannotRevoke: true,
    syncPath: '/v1.0/me/calendars/',
    webhookAction: null,
    restates: false,
    leftOut: (record) => record.type === 'meeting' && record.attendees.length === 0,
  },
  {
    connector: microsoftAds,
    createSandbox: createMicrosoftAdsSandbox,
    extra: { developerToken: 'a developer token' },
    shop: null,
    hasPkce: true,
    severalCount: 3,
    canBeEmpty: true,
    cannotRevoke: true,
    syncPath: '/CampaignManagement/v13/Campaigns/QueryByAccountId',
    webhookAction: null,
    restates: true,
    leftOut: (record) => record.type === 'delivery' && record.entity?.name === null,
  },
  {
    connector: crmsuite,
    createSandbox: createCrmsuiteSandbox,
    extra: { webhookPublicKey: sandboxWebhookPublicKey({ seed: 'conformance', clientSecret }) },
    shop: null,
    hasPkce: false,
    severalCount: 3,
    canBeEmpty: true,
    syncPath: '/contacts/search',
    webhookAction: 'new_contact',
    restates: false,
    leftOut: (record) => record.type === 'outcome' && record.person.ad.adId === null,
  },
  {
    connector: cardpay,
    createSandbox: createCardpaySandbox,
    extra: { webhookSecret: 'a signing secret' },
    shop: null,
    hasPkce: false,
    severalCount: 1,
    // An app may not read the account, so it cannot detect that one accepts no charges.
    canBeEmpty: false,
    syncPath: '/v1/charges',
    webhookAction: 'new_charge',
    restates: false,
    leftOut: (record) => record.type === 'payment' && record.person.anonymousId === null,
  },
  {
    connector: regionalpay,
    createSandbox: createRegionalpaySandbox,
    extra: { webhookSecret: 'a signing secret' },
    shop: null,
    hasPkce: true,
    severalCount: 1,
    canBeEmpty: true,
    syncPath: '/v1/payments/search',
    webhookAction: 'new_charge',
    restates: false,
    leftOut: (record) => record.type === 'payment' && record.person.externalId === null,
  },
  {
    connector: storefront,
    createSandbox: createStorefrontSandbox,
    extra: {},
    shop: 'harbor-and-pine',
    hasPkce: false,
    severalCount: 1,
    canBeEmpty: true,
    syncPath: '/harbor-and-pine.myshopify.com/admin/api',
    webhookAction: 'new_order',
    restates: false,
    leftOut: (record) => record.type === 'payment' && record.person.ad.adSetId === null,
  },
  {
    connector: woocommerce,
    createSandbox: createWoocommerceSandbox,
    extra: { webhooks: 'on' },
    shop: 'harbor.example',
    hasPkce: false,
    severalCount: 1,
    canBeEmpty: false,
    isKeyPair: true,
    syncPath: '/harbor.example/wp-json/wc/v3/orders',
    webhookAction: 'new_order',
    restates: false,
    leftOut: (record) => record.type === 'payment' && record.person.contactId === null,
  },
  {
    connector: hubspot,
    createSandbox: createHubspotSandbox,
    extra: { webhookUrl: 'https://whence.example/webhooks/in/hubspot' },
    shop: null,
    hasPkce: true,
    severalCount: 1,
    canBeEmpty: false,
    syncPath: '/crm/objects/2026-09/contacts/search',
    webhookAction: 'new_contact',
    restates: false,
    leftOut: (record) => record.type === 'outcome' && record.person.ad.adId === null,
  },
  {
    connector: linkedinAds,
    createSandbox: createLinkedinAdsSandbox,
    extra: {
      webhookUrl: 'https://whence.example/webhooks/in/linkedin_ads',
      products: 'lead_sync,conversions,community_management',
    },
    shop: null,
    hasPkce: false,
    severalCount: 3,
    canBeEmpty: true,
    cannotRevoke: true,
    syncPath: '/rest/adAccounts/',
    webhookAction: 'lead',
    restates: true,
    leftOut: (record) => record.type === 'delivery' && record.platformConversionValueMinor === null,
  },
  {
    connector: tiktokAds,
    createSandbox: createTiktokAdsSandbox,
    extra: {},
    shop: null,
    hasPkce: false,
    severalCount: 3,
    canBeEmpty: true,
    syncPath: '/open_api/v1.3/campaign/get/',
    webhookAction: null,
    restates: true,
    leftOut: (record) => record.type === 'delivery' && record.impressions === null,
  },
]

/** Consent, tokens and faults as for every connector, but no records. */
const mailbox = {
  extra: {},
  shop: null,
  hasPkce: true,
  severalCount: 1,
  canBeEmpty: false,
  syncPath: '/',
  webhookAction: null,
  restates: false,
  leftOut: () => false,
} as const

export const mailboxCases: ConnectorCase[] = [
  { ...mailbox, connector: gmail, createSandbox: createGmailSandbox },
  { ...mailbox, connector: microsoftMail, createSandbox: createMicrosoftMailSandbox },
]
