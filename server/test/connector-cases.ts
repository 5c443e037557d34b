/** Every connector with its sandbox: a provider that is missing here fails the suite. */
import { engineAds } from '../src/connectors/engine-ads/connector.ts'
import { createEngineAdsSandbox } from '../src/connectors/engine-ads/sandbox.ts'
import { engineSearchConsole } from '../src/connectors/engine-search-console/connector.ts'
import { createSearchConsoleSandbox } from '../src/connectors/engine-search-console/sandbox.ts'
import { socialAds } from '../src/connectors/social-ads/connector.ts'
import { createSocialAdsSandbox } from '../src/connectors/social-ads/sandbox.ts'
import type { ConnectorCase } from './sandbox-server.ts'

export const connectorCases: ConnectorCase[] = [
  {
    connector: socialAds,
    createSandbox: createSocialAdsSandbox,
    extra: { webhookVerifyToken: 'a shared word' },
    shop: null,
    hasPkce: true,
    severalCount: 3,
    canBeEmpty: true,
    syncPath: '/act_',
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
    extra: { developerToken: 'a developer token' },
    shop: null,
    hasPkce: true,
    severalCount: 3,
    canBeEmpty: true,
    syncPath: '/customers/',
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
]
