import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'integrations'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const SocialPage = z.object({
  id: z.string().describe('The platform’s id of the page'),
  name: z.string().describe('Name of the page'),
  category: z
    .string()
    .nullable()
    .describe('The page’s category at the platform; null if the platform reports none'),
  tracked: z.boolean().describe('Whether its messages are recorded'),
})

export const listPages = endpoint({
  name: 'listPages',
  method: 'GET',
  path: '/integrations/social/pages',
  summary: 'List the tracked pages',
  description: 'Pages whose leads are received.',
  tag,
  access: reads,
  reply: z.array(SocialPage),
})

export const listAvailablePages = endpoint({
  name: 'listAvailablePages',
  method: 'GET',
  path: '/integrations/social/pages/available',
  summary: 'List the pages that the connected account can see, live',
  description: 'Queries the platform on each call.',
  tag,
  access: reads,
  reply: z.array(SocialPage),
  errors: [...providerErrors],
})

export const trackPages = endpoint({
  name: 'trackPages',
  method: 'POST',
  path: '/integrations/social/pages',
  summary: 'Replace the set of tracked pages',
  description:
    'New pages are subscribed at the platform; pages that are not listed are unsubscribed and their leads no longer received.',
  tag,
  access: writes,
  body: z.strictObject({
    page_ids: z.array(z.string().min(1).max(100)).max(200).describe('Ids of the pages'),
  }),
  reply: z.array(SocialPage),
  errors: [...providerErrors],
})
