/** Every connector with its sandbox: a provider that is missing here fails the suite. */
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
]
