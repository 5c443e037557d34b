import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { parseDateRange } from '../../../platform/contract/dates.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { entityId } from '../../facts/ads/entities.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { type Credited, collectCredited, mergePages, planSlices } from './credited-pages.ts'
import { AFTER_ALL, type Position } from './queries/credited-conversions.ts'

let app: TestApp
let profileId: string

beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app)
  profileId = await makeProfile(person, await makeWorkspace(person))
  const call = app.as(await makeKey(app, profileId, ['events:write']))
  // Every third of 60 people comes by A1, the others by A2; all pay on one of three days.
  const events = Array.from({ length: 60 }, (_, person) => [
    {
      event_name: 'visit',
      anonymous_id: `p${person}`,
      timestamp: '2026-05-01T10:00:00Z',
      ad: { ad_id: person % 3 === 0 ? 'A1' : 'A2', campaign_id: 'C1' },
    },
    {
      event_name: 'payment_received',
      anonymous_id: `p${person}`,
      // The last one to arrive is the first in time, on each of the days.
      timestamp: `2026-05-0${2 + (person % 4 === 0 ? 0 : person % 3)}T10:${59 - Math.floor(person / 2)}:00Z`,
      properties: { value: 10 },
      idempotency_key: `paid ${person}`,
    },
  ]).flat()
  await call(sendEvents, { body: { events } })
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

const parsed = parseDateRange('2026-05-01', '2026-05-31')
if (!parsed.ok) throw new Error(parsed.problem)
const { range } = parsed

async function readAll(level: 'campaign' | 'ad', name: string, limit: number, mostExamined: number) {
  const ids: string[] = []
  let after: Position | null = null
  let pages = 0
  do {
    const page: Awaited<ReturnType<typeof collectCredited>> = await inTransaction(app.service.db, (tx) =>
      collectCredited(
        { tx, profileId, scope: { range, model: 'linear', level } },
        entityId(profileId, level, name),
        after,
        limit,
        mostExamined,
      ),
    )
    expect(page.found.length).toBeLessThanOrEqual(limit)
    ids.push(...page.found.map(({ row }) => row.conversion_id))
    after = page.next
    pages += 1
  } while (after !== null)
  return { ids, pages }
}

it('gives every conversion once and in order, however little a page may hold or read', async () => {
  for (const [level, name, count] of [
    ['ad', 'A1', 20],
    ['ad', 'A2', 40],
    ['campaign', 'C1', 60],
  ] as const) {
    const { rows } = await sql<{ id: string }>`
      select v.id from conversions v
      join touches t on t.profile_id = ${profileId} and t.identifier_id = v.identifier_id
      where v.profile_id = ${profileId} and ${name} in (t.ad_external_id, t.campaign_external_id)
      order by v.occurred_at desc, v.id desc`.execute(app.service.db)
    expect(rows).toHaveLength(count)
    const expected = rows.map((row) => row.id)
    expect(await readAll(level, name, 200, 20_000)).toEqual({ ids: expected, pages: 1 })
    for (const limit of [1, 3, 200])
      for (const mostExamined of [1, 7, 20_000])
        expect((await readAll(level, name, limit, mostExamined)).ids).toEqual(expected)
  }
})

it('ends a page that has read as much as it may', async () => {
  const { pages } = await readAll('ad', 'A1', 200, 7)
  expect(pages).toBeGreaterThanOrEqual(Math.ceil(60 / 7 / 2))
})

it('plans no more reading than there is room for, and enough for what is wanted', () => {
  const day = fc
    .record({ conversions: fc.integer({ min: 1, max: 1000 }), others: fc.integer({ min: 0, max: 100_000 }) })
    .map(({ conversions, others }) => ({ day: '2026-05-01', conversions, total: conversions + others }))
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 201 }),
      fc.integer({ min: 1, max: 50_000 }),
      (waiting, wanted, room) => {
        const slices = planSlices(waiting, AFTER_ALL, wanted, room)
        const read = slices.reduce((sum, { most, total }) => sum + Math.min(most, total), 0)
        expect(read).toBeLessThanOrEqual(room)
        expect(slices.length).toBeGreaterThan(0)
        const held = waiting.slice(0, slices.length).reduce((sum, own) => sum + own.conversions, 0)
        expect(slices.length === waiting.length || read === room || held >= wanted).toBe(true)
      },
    ),
  )
})

it('merges streams without losing, repeating or reordering a row, wherever each of them stopped reading', () => {
  const at = (minute: number): Position => ({
    day: '2026-05-01',
    at: new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString(),
    id: `00000000-0000-4000-8000-${String(minute).padStart(12, '0')}`,
  })
  const read = (minutes: readonly number[], from: Position | null, limit: number, most: number) => {
    const left = minutes.filter((minute) => from === null || at(minute).at < from.at)
    const looked = left.slice(0, most)
    const found = looked.slice(0, limit).map((minute) => ({ position: at(minute) }) as Credited)
    const last = looked.slice(0, limit).at(-1)
    return { found, next: last === undefined || left.length === found.length ? null : at(last) }
  }
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 })
  fc.assert(
    fc.property(
      minutes,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (all, limit, most) => {
        const newest = all.toSorted((a, b) => b - a)
        const streams = [newest.filter((one) => one % 3 === 0), newest.filter((one) => one % 3 !== 0)]
        const seen: string[] = []
        let from: Position | null = null
        do {
          const page: ReturnType<typeof mergePages> = mergePages(
            streams.map((stream) => read(stream, from, limit, most)),
            limit,
          )
          expect(page.found.length).toBeLessThanOrEqual(limit)
          seen.push(...page.found.map(({ position }) => position.at))
          from = page.next
        } while (from !== null)
        expect(seen).toEqual(newest.map((minute) => at(minute).at))
      },
    ),
  )
})
