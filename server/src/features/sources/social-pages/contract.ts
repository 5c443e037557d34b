import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { providerErrors } from '../connections/provider-errors.ts'

const tag = 'integrations'
const reads = { kind: 'profile', scopes: ['connections:read'] } as const
const writes = { kind: 'profile', scopes: ['connections:write'] } as const

export const SocialPage = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  tracked: z.boolean(),
})

export const listPages = endpoint({
  name: 'listPages',
  method: 'GET',
  path: '/integrations/social/pages',
  summary: 'List the tracked pages',
  description: 'Pages whose lead forms are received.',
  tag,
  access: reads,
  reply: z.array(SocialPage),
})

export const listAvailablePages = endpoint({
  name: 'listAvailablePages',
  method: 'GET',
  path: '/integrations/social/pages/available',
  summary: 'List the pages that the connected account can see, live',
  description: 'Asks the platform at the time of the call.',
  tag,
  access: reads,
  reply: z.array(SocialPage),
  errors: [...providerErrors],
})

export const trackPages = endpoint({
  name: 'trackPages',
  method: 'POST',
  path: '/integrations/social/pages',
  summary: 'Select which pages to track; replaces the set',
  description:
    'Pages left out are unsubscribed at the platform, new ones subscribed; leads of the others are not received.',
  tag,
  access: writes,
  body: z.strictObject({ page_ids: z.array(z.string().min(1).max(100)).max(200) }),
  reply: z.array(SocialPage),
  errors: [...providerErrors],
})
