import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestProfile } from '../../../../test/make.ts'
import { routes } from '../../../app.ts'
import { scopes } from '../../../platform/contract/access.ts'

/** Reports that read customers, journeys or declared answers, whose earlier states are not stored. */
const withoutAsOf = [
  'explainPlatformGap',
  'getCohorts',
  'getDeclaredReport',
  'getJourneys',
  'listCampaignConversions',
  'listJourneyPayments',
  'listUnattributedConversions',
]

const routesWithoutAsOf = routes
  .map(({ entry }) => entry)
  .filter(({ tag, method }) => tag === 'reports' && method === 'GET')
  .filter(({ query }) => !(query instanceof z.ZodObject && 'as_of' in query.shape))

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(scopes)
})
afterAll(() => profile.app.close())

it('every other report supports as_of', () => {
  expect(routesWithoutAsOf.map(({ name }) => name).sort()).toEqual(withoutAsOf)
})

it.each(routesWithoutAsOf)('$name rejects as_of with a reason', async ({ path }) => {
  const url = `${profile.app.baseUrl}/api/v1${path.replace('{id}', 'C1')}?as_of=2026-05-01T00:00:00Z`
  const reply = await fetch(url, { headers: { authorization: `Bearer ${profile.key}` } })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({
    error: {
      code: 'invalid_parameter',
      message: expect.stringMatching(/^as_of: is not supported: .* earlier states are not stored/),
    },
  })
})
