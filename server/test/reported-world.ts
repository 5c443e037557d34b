/** A service with the small business of ad-world.ts, with a partial refund of one payment. */

import { loadAttributionProfile } from '../src/features/attribution/crediting/settings.ts'
import { recomputePayers, saveRefunds } from '../src/features/attribution/pipeline/refunds.ts'
import { entityId } from '../src/features/facts/ads/entities.ts'
import { eventIdOf } from '../src/features/facts/events/rules.ts'
import type { Scope } from '../src/platform/contract/access.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { lockProfile } from '../src/platform/db/profile-lock.ts'
import { makeAdWorld } from './ad-world.ts'
import type { TestClient } from './answers.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from './make.ts'

export type ReportedWorld = {
  app: TestApp
  profileId: string
  call: TestClient
  token: string
  makeKey(scopes: readonly Scope[]): Promise<string>
  idOf(level: 'campaign' | 'ad_set' | 'ad', externalId: string): string
}

/** The month of all events. */
export const range = { date_from: '2026-05-01', date_to: '2026-05-31' }

export async function openReportedWorld(): Promise<ReportedWorld> {
  const app = await startTestApp()
  const person = await makePerson(app)
  const profileId = await makeProfile(person, await makeWorkspace(person))
  const token = await makeKey(app, profileId, [
    'events:write',
    'campaigns:read',
    'conversions:read',
    'analytics:read',
    'tracking:write',
    'payments:write',
  ])
  const call = app.as(token)
  await makeAdWorld(app, profileId, call)
  await giveBobTenBack(app, profileId)
  return {
    app,
    profileId,
    call,
    token,
    makeKey: (scopes) => makeKey(app, profileId, scopes),
    idOf: (level, externalId) => entityId(profileId, level, externalId),
  }
}

async function giveBobTenBack(app: TestApp, profileId: string): Promise<void> {
  const refund = {
    id: '00000000-0000-4000-8000-000000000001',
    paymentId: eventIdOf(profileId, 'bob-1'),
    kind: 'provider',
    externalId: null,
    occurredAt: new Date('2026-05-08T10:00:00Z'),
    amountMinor: 1000,
    currency: 'EUR',
    reason: null,
  } as const
  await inTransaction(app.service.db, async (tx) => {
    await lockProfile(tx, profileId)
    const profile = await loadAttributionProfile(tx, profileId)
    const changed = await saveRefunds(tx, profile, [refund], new Date())
    await recomputePayers(tx, profile, changed, new Date(), () => ({ cause: 'refund', fact: null }))
  })
}
