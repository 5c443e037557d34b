import { expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../../app.ts'

/** They read people, journeys or answers, whose earlier states are not kept, or they are about the past already. */
const withoutAsOf = [
  'explainPlatformGap',
  'getAdIdQuality',
  'getBrief',
  'getChanges',
  'getCohorts',
  'getDeclaredReport',
  'getJourneys',
  'listCampaignConversions',
  'listJourneyPayments',
  'listUnattributedConversions',
  'listUnattributedReasons',
]

it('every other report takes as_of', () => {
  const reports = routes
    .map(({ entry }) => entry)
    .filter(({ tag, method }) => tag === 'reports' && method === 'GET')
  const lacking = reports.filter(({ query }) => !(query instanceof z.ZodObject && 'as_of' in query.shape))
  expect(lacking.map(({ name }) => name).sort()).toEqual(withoutAsOf)
})
