import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ExpiresAt } from '../../../platform/contract/fields.ts'
import { Connection } from '../connections/contract.ts'

const tag = 'integrations'
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const startBankLink = endpoint({
  name: 'startBankLink',
  method: 'POST',
  path: '/integrations/banklink/link/start',
  summary: 'Start a bank link',
  description:
    'Send the person to `url`. When they are done, the connection is created automatically (event `connection.connected`); `link/connect` with the `link_token` returns it.',
  tag,
  access: writes,
  reply: z.object({
    link_token: z.string().describe('Token of the bank link'),
    url: z.url().describe('Page on which the person connects the bank'),
    expires_at: ExpiresAt,
  }),
  errors: ['not_implemented', 'provider_error', 'service_unavailable', 'provider_not_configured'],
})

export const connectBankLink = endpoint({
  name: 'connectBankLink',
  method: 'POST',
  path: '/integrations/banklink/link/connect',
  summary: 'Finish a bank link and return the connection',
  description:
    'Pass the `link_token` of `link/start` once the person is done (idempotent), or the public token if your own page received it.',
  tag,
  access: writes,
  body: z
    .strictObject({
      link_token: z.string().min(1).max(500).optional().describe('Token of the bank link'),
      public_token: z.string().min(1).max(500).optional().describe('Token that the bank link returned'),
    })
    .refine(
      (body) => (body.link_token === undefined) !== (body.public_token === undefined),
      'pass exactly one of link_token and public_token',
    ),
  example: { body: { public_token: 'public-sandbox-0' } },
  reply: Connection,
  statuses: [201],
  errors: [
    'not_implemented',
    'invalid_parameter',
    'account_connected_elsewhere',
    'provider_error',
    'service_unavailable',
    'provider_not_configured',
  ],
})
