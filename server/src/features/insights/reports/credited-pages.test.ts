import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { parseDateRange } from '../../../platform/contract/dates.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { entityId } from '../../facts/ads/entities.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { AFTER_ALL, type Position } from '../../figures/rollups/credited-conversions.ts'
import { type Credited, collectEntityCredits, mergePages, planSlices } from './credited-pages.ts'

let app: TestApp
let profileId: string

beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app)
  profileId = await makeProfile(person, await makeWorkspace(person))
  const call = app.as(await makeKey(app, profileId, ['events:write']))
  // Of 60 people every third arrives through A1, the others through A2; all pay on one of three days.
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
      // Received in reverse order of time on each day.
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
    const page: Awaited<ReturnType<typeof collectEntityCredits>> = await inTransaction(app.service.db, (tx) =>
      collectEntityCredits(
        { tx, profileId, scope: { range, model: 'linear', level } },
        entityId(profileId, level, name),
        after,
        limit,
        mostExamined,
      ),
    )
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    ids.push(...page.entries.map(({ row }) => row.conversion_id))
    after = page.next
    pages += 1
  } while (after !== null)
  return { ids, pages }
}

it('returns every conversion once and in order, however small the page and read limits', async () => {
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

it('ends a page at its read limit', async () => {
  const { pages } = await readAll('ad', 'A1', 200, 7)
  expect(pages).toBeGreaterThanOrEqual(Math.ceil(60 / 7 / 2))
})

it('plans reads within the budget, and enough for the requested number', () => {
  const day = fc
    .record({ conversions: fc.integer({ min: 1, max: 1000 }), others: fc.integer({ min: 0, max: 100_000 }) })
    .map(({ conversions, others }) => ({ day: '2026-05-01', conversions, total: conversions + others }))
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 201 }),
      fc.integer({ min: 1, max: 50_000 }),
      (pendingDays, requested, budget) => {
        const slices = planSlices(pendingDays, AFTER_ALL, requested, budget)
        const read = slices.reduce((sum, { most, total }) => sum + Math.min(most, total), 0)
        expect(read).toBeLessThanOrEqual(budget)
        expect(slices.length).toBeGreaterThan(0)
        const expected = pendingDays.slice(0, slices.length).reduce((sum, day) => sum + day.conversions, 0)
        expect(slices.length === pendingDays.length || read === budget || expected >= requested).toBe(true)
      },
    ),
  )
})

it('merges streams without losing, repeating or reordering a row, wherever each stopped reading', () => {
  const at = (minute: number): Position => ({
    day: '2026-05-01',
    at: new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString(),
    id: `00000000-0000-4000-8000-${String(minute).padStart(12, '0')}`,
  })
  const read = (minutes: readonly number[], from: Position | null, limit: number, most: number) => {
    const remaining = minutes.filter((minute) => from === null || at(minute).at < from.at)
    const examined = remaining.slice(0, most)
    const entries = examined.slice(0, limit).map((minute) => ({ position: at(minute) }) as Credited)
    const last = examined.slice(0, limit).at(-1)
    return { entries, next: last === undefined || remaining.length === entries.length ? null : at(last) }
  }
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 })
  fc.assert(
    fc.property(
      minutes,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (all, limit, most) => {
        const newest = all.toSorted((a, b) => b - a)
        const streams = [
          newest.filter((minute) => minute % 3 === 0),
          newest.filter((minute) => minute % 3 !== 0),
        ]
        const positions: string[] = []
        let from: Position | null = null
        do {
          const page: ReturnType<typeof mergePages> = mergePages(
            streams.map((stream) => read(stream, from, limit, most)),
            limit,
          )
          expect(page.entries.length).toBeLessThanOrEqual(limit)
          positions.push(...page.entries.map(({ position }) => position.at))
          from = page.next
        } while (from !== null)
        expect(positions).toEqual(newest.map((minute) => at(minute).at))
      },
    ),
  )
})
