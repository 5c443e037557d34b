import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { toIntegrationEvents } from '../../facts/events/integrations.ts'
import { writeEvents } from '../../facts/events/queries.ts'
import { compareFreshness } from './freshness.ts'

let app: TestApp
let profileId: string

beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
})
afterAll(() => app.close())

it('a profile whose events wait too long is reported as stale, and as fresh once they are delivered', async () => {
  const received = new Date('2026-06-01T00:00:00Z')
  const later = (seconds: number) => new Date(received.getTime() + seconds * 1000)
  const origin = {
    profileId,
    provider: 'crmsuite',
    country: null,
    pepper: app.service.identityPepper,
    now: received,
  }
  const contact = {
    type: 'contact' as const,
    externalId: 'c1',
    updatedAt: received.toISOString(),
    person: { ...emptyPerson(), contactId: 'contact-1' },
  }
  await inTransaction(app.service.db, (tx) =>
    writeEvents(tx, { profileId, events: toIntegrationEvents([contact], origin) }),
  )
  const { db } = app.service
  const changes = async () => {
    const { rows } = await app.pool.query(
      `select data->>'from' as "from", data->>'to' as "to", data->>'computed_through' as through from outbox_events
       where profile_id = $1 and type = 'profile.freshness.changed' order by number`,
      [profileId],
    )
    return rows
  }
  await compareFreshness(db, later(30))
  expect(await changes()).toEqual([])
  await compareFreshness(db, later(90))
  await compareFreshness(db, later(95))
  await app.service.processor.settled(profileId)
  await compareFreshness(db, later(100))
  expect(await changes()).toEqual([
    { from: 'fresh', to: 'stale', through: received.toISOString() },
    { from: 'stale', to: 'fresh', through: later(100).toISOString() },
  ])
})
