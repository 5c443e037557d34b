import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { sendEvent } from '../events/contract.ts'

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['events:write']))
})
afterAll(() => app.close())

async function send(key: string, value: number): Promise<void> {
  const body = {
    event_name: 'payment_received',
    idempotency_key: key,
    anonymous_id: key,
    timestamp: '2026-10-03T10:00:00Z',
    properties: { value },
    ad: { ad_id: 'A1' },
  }
  await call(sendEvent, { body })
  await app.service.processor.settled(profileId)
}

async function ids(table: 'conversions' | 'credits', column: string): Promise<string[]> {
  const { rows } = await app.pool.query(
    `select ${column} as id from ${table} where profile_id = $1 order by 1`,
    [profileId],
  )
  return rows.map((row) => row.id)
}

it('a conversion keeps its id when its event is sent again, also an id of another form', async () => {
  await send('first', 10)
  const [id] = await ids('conversions', 'id')
  await send('first', 11)
  expect(await ids('conversions', 'id')).toEqual([id])
  const other = uuidv7()
  await app.pool.query('update conversions set id = $2 where profile_id = $1', [profileId, other])
  await app.pool.query('update credits set conversion_id = $2 where profile_id = $1', [profileId, other])
  await send('first', 12)
  expect(await ids('conversions', 'id')).toEqual([other])
  expect(await ids('credits', 'conversion_id')).toEqual([other])
})

it('ids are ordered by time of receipt, not by time of the event', async () => {
  const start = app.service.clock.now().getTime()
  await send('second', 20)
  await send('third', 30)
  const times = (await ids('conversions', 'id')).map((id) =>
    Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16),
  )
  expect(times.slice(-2).every((time) => time >= start)).toBe(true)
})
