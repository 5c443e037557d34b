import { z } from 'zod'
import { messagingChannels } from '../../../connectors/messaging.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Connection } from '../connections/contract.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'conversations'
const live = [...providerErrors, 'forbidden'] as const

export const MessagingChannel = z.enum(messagingChannels)

export const MessagingAccount = z.object({
  channel: MessagingChannel.describe('Messaging channel of the account'),
  account_id: z.string().describe('The account’s id at the provider'),
  name: z.string().describe('Name of the account at the platform'),
  connection_id: z.uuid().nullable().describe('Id of the connection; null if there is none'),
  status: z.string().nullable().describe('Status of the account at the platform; null if it reports none'),
})

export const listMessagingAccounts = endpoint({
  name: 'listMessagingAccounts',
  method: 'GET',
  path: '/messaging/accounts',
  summary: 'List the accounts that can receive messages, live from the platform',
  description: 'Pages, photo accounts and chat accounts of the connected social account.',
  tag,
  access: { kind: 'profile', scopes: ['connections:read'] },
  reply: z.array(MessagingAccount),
  errors: [...live],
})

export const connectMessagingAccount = endpoint({
  name: 'connectMessagingAccount',
  method: 'POST',
  path: '/messaging/accounts',
  summary: 'Connect an account that receives messages',
  description: 'Connecting it again is a reconnect. After a disconnect, its conversations are kept.',
  tag,
  access: { kind: 'profile', scopes: ['connections:write'] },
  body: z.union([
    z.strictObject({
      channel: MessagingChannel.describe('Messaging channel of the account'),
      account_id: z.string().min(1).max(100).describe('The account’s id at the provider'),
    }),
    z.strictObject({
      channel: z.literal('photoapp').describe('Messaging channel of the account'),
      access_token: z
        .string()
        .min(8)
        .max(2000)
        .describe('The platform’s token; stored encrypted, never returned'),
    }),
  ]),
  example: { body: { channel: 'chatapp', account_id: '102290129340398' } },
  reply: Connection,
  statuses: [201],
  errors: [...live, 'validation_error', 'account_connected_elsewhere'],
})
