/** Records and processes an outcome like a CRM sync. */
import { emptyPerson } from '../src/connectors/person.ts'
import { toIntegrationEvents } from '../src/features/facts/events/integrations.ts'
import { writeEvents } from '../src/features/facts/events/queries.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import type { TestApp } from './app.ts'

export const ana = {
  ...emptyPerson(),
  contactId: 'contact-1',
  email: 'ana@example.com',
  phone: '+34600000001',
  firstName: 'Ana',
  lastName: 'Paz',
}

export type OutcomeFields = {
  outcomeType?: string
  person?: ReturnType<typeof emptyPerson>
  value?: number
  provider?: string
  occurredAt?: string
}

export async function recordOutcome(
  app: TestApp,
  profileId: string,
  externalId: string,
  fields: OutcomeFields = {},
): Promise<void> {
  const { outcomeType = 'lead_created', person = ana, provider = 'crmsuite', value } = fields
  const { occurredAt = '2026-05-02T10:00:00.000Z' } = fields
  const outcome = {
    type: 'outcome' as const,
    externalId,
    outcomeType,
    occurredAt,
    value: value === undefined ? null : { amountMinor: value, currency: 'EUR' },
    person,
    stageId: null,
    retracted: false,
  }
  const now = app.service.clock.now()
  const setting = { profileId, provider, country: null, pepper: app.service.identityPepper, now }
  await inTransaction(app.service.db, (tx) =>
    writeEvents(tx, { profileId, events: toIntegrationEvents([outcome], setting) }),
  )
  await app.service.processor.settled(profileId)
}
