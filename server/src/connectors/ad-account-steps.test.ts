/** The list and day under which an unreadable record is reported. */
import { expect, test } from 'vitest'
import { readStepPage, type StepPage } from './ad-account-steps.ts'
import { toSetAside } from './set-aside.ts'

const malformed = new RangeError()
const read = (
  step: { kind: string },
  rows: unknown[],
  after: string | null = null,
  next: string | null = null,
) =>
  readStepPage(JSON.stringify({ currency: 'EUR', step: 0, after }), [step], {
    currency: async () => 'EUR',
    read: async (): Promise<StepPage> => ({
      records: [],
      setAside: rows.map((row) => toSetAside('delivery', row, malformed)),
      after: next,
    }),
  })
const report = { kind: 'delivery', level: 'ad', since: '2026-02-01', until: '2026-02-14' }

test.each([
  [{ segments: { date: '2026-02-03' } }, '2026-02-03'],
  [{ dimensions: { stat_time_day: '2026-02-03 00:00:00' }, metrics: {} }, '2026-02-03'],
  [{ date_start: '2026-02-03', date_stop: '2026-02-03' }, '2026-02-03'],
  [{ TimePeriod: '2026-02-03', Spend: '1.00' }, '2026-02-03'],
  [
    { dateRange: { start: { year: 2026, month: 2, day: 3 }, end: { year: 2026, month: 2, day: 4 } } },
    '2026-02-03',
  ],
  [{ date_start: '2026-02-31' }, '2026-02-14'],
  [{ date_start: '2025-02-03' }, '2026-02-14'],
  ['nonsense', '2026-02-14'],
])('a row like %j is filed under its own day, or the last day of its report: %s', async (row, day) => {
  const page = await read(report, [row])
  expect(page.setAside).toMatchObject([{ list: 'delivery ad', day }])
})

test('only the first page of a list clears its earlier notices', async () => {
  expect(await read(report, [])).toMatchObject({
    rereads: { list: 'delivery ad', since: '2026-02-01', until: '2026-02-14' },
  })
  expect(await read(report, [], 'page 2')).not.toHaveProperty('rereads')
})

test('a list of the structure has no days, and leads are identified by their ids', async () => {
  const structure = await read({ kind: 'campaigns' }, [{ id: '7' }])
  expect(structure).toMatchObject({ rereads: { list: 'campaigns 0' } })
  expect(structure.setAside).toEqual([
    { kind: 'delivery', externalId: '7', reason: 'A value is out of range', list: 'campaigns 0' },
  ])
  expect(await read({ kind: 'leads' }, [])).not.toHaveProperty('rereads')
})
