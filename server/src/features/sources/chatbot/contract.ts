import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Connection } from '../connections/contract.ts'

const tag = 'integrations'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const getChatbot = endpoint({
  name: 'getChatbot',
  method: 'GET',
  path: '/integrations/chatbot/connection',
  summary: 'Read the chatbot connection',
  description: 'The connection that receives the chatbot’s conversations; `not_found` if none is set up.',
  tag,
  access: reads,
  reply: Connection,
  errors: ['not_found'],
})

export const saveChatbot = endpoint({
  name: 'saveChatbot',
  method: 'POST',
  path: '/integrations/chatbot/connection',
  summary: 'Create or update the chatbot connection',
  description: 'Replaces the API key. Without `display_name`, the current name is kept.',
  tag,
  access: writes,
  body: z.strictObject({
    api_key: z
      .string()
      .trim()
      .min(8)
      .max(1000)
      .describe('API key of the chatbot; stored encrypted, never returned'),
    display_name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Name of the chatbot, as people see it'),
  }),
  reply: Connection,
})
