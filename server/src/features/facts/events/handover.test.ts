import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { processBatch } from '../../attribution/pipeline/process.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { EventInput } from './contract.ts'
import { createHandover, type Handover } from './handover.ts'
import { writeEvents } from './queries.ts'
import { toNewEvent } from './rules.ts'

let app: TestApp
let profileId: string
let key: string
beforeAll(async () => {
  ;({ app, profileId, key } = await startTestProfile(['events:write']))
})
afterAll(() => app.close())

const makeEvent = (idempotencyKey: string, value: number, now = app.service.clock.now()) =>
  accepted(
    toNewEvent(
      EventInput.parse({
        event_name: 'payment_received',
        idempotency_key: idempotencyKey,
        anonymous_id: 'visitor',
        properties: { value },
      }),
      { profileId, currency: 'EUR', country: null, pepper: app.service.identityPepper, now },
    ),
  )

const write = (events: ReturnType<typeof makeEvent>[], handover: Handover) =>
  writeEvents(app.service.db, { profileId, events, handover })
const work = async (handover: Handover) =>
  (await processBatch({ ...app.service, handover }, profileId))?.taken ?? null

async function values(): Promise<number[]> {
  const rows = await app.service.db
    .selectFrom('conversions')
    .select('value_minor')
    .where('profile_id', '=', profileId)
    .orderBy('value_minor')
    .execute()
  return rows.map((row) => Number(row.value_minor))
}

async function deleteConversions(): Promise<void> {
  await app.service.db.deleteFrom('conversions').where('profile_id', '=', profileId).execute()
}

it('handed-over events are processed without being read back', async () => {
  const handover = createHandover()
  await write([makeEvent('memory-1', 1), makeEvent('memory-2', 2)], handover)
  await app.service.db.deleteFrom('events').where('profile_id', '=', profileId).execute()
  expect(await work(handover)).toBe(2)
  expect(await values()).toEqual([100, 200])
  await deleteConversions()
})

it('evicted events are read from the table', async () => {
  const handover = createHandover(1)
  await write([makeEvent('table-1', 3)], handover)
  await write([makeEvent('table-2', 4)], handover)
  expect(await work(handover)).toBe(2)
  expect(await values()).toEqual([300, 400])
  await deleteConversions()
})

it('an event that is retracted while it waits creates nothing, although it was handed over', async () => {
  const handover = createHandover()
  await write([makeEvent('taken-back', 5), makeEvent('stays', 6)], handover)
  await app.as(key)(retractEvent, { body: { idempotency_key: 'taken-back' } })
  await work(handover)
  expect(await values()).toEqual([600])
  await deleteConversions()
})

it('a later version wins, also when the clock of its process is an hour behind', async () => {
  const handover = createHandover()
  const now = app.service.clock.now()
  await write([makeEvent('versions', 7, now)], handover)
  expect(await write([makeEvent('versions', 8, new Date(now.getTime() - 3_600_000))], handover)).toEqual([
    'updated',
  ])
  await work(handover)
  expect(await values()).toEqual([800])
})
