import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { limitsOf, readFigures, scaleArithmetic } from './scale-arithmetic.ts'

const page = (changed: Record<string, string> = {}) => {
  const given: Record<string, string> = {
    'CPU of a worker for a single event:': '8',
    'CPU of the coordinator for it:': '0.1',
    'A worker, times plain PostgreSQL:': '1.5',
    'Cores of a node:': '16',
    'Memory of a node:': '128',
    'Disk of a node:': '8',
    'Disk for a raw event and its key:': '0.5',
    'Disk for an event in all tables:': '0.8',
    'Record of changes for a late event:': '2',
    'The same once summed by day:': '0.5',
    'Late events:': '0',
    'An event in Parquet files:': '0.1',
    'Connections of a process to a worker:': '26',
    'Memory of a connection:': '10',
    ...changed,
  }
  return Object.entries(given)
    .map(([words, value]) => `- ${words} **${value}** of something`)
    .join('\n')
}
const results = `
| \`POST /events\`, 64 connections | 4,100 | 0.35 | 200 + 134 µs | 0.34 s |
| \`POST /events/batch\` of 500, 8 connections | 14,547 | 1.22 | 100 + 140 µs | 7.6 s |
| 10,000,000 | 580 µs | 476 µs | 2.00, 1.67 |
- 800 bytes of raw event become 160; of 100,000 rows 25,000 stay`

describe('the scale arithmetic', () => {
  it('half the cost allows twice the events, with half the workers for a billion', () => {
    const dear = scaleArithmetic(page(), results)
    expect(dear).toContain('no other | 8.00 ms | 0.10 ms | 0.20 ms | 1,400 | 3,500 |')
    expect(dear).toContain('as single events: 9 workers for the average, 25 for the peak')
    const cheap = scaleArithmetic(page({ 'CPU of a worker for a single event:': '4' }), results)
    expect(cheap).toContain('no other | 4.00 ms | 0.10 ms | 0.20 ms | 2,800 | 3,500 |')
    expect(cheap).toContain('as single events: 5 workers for the average, 13 for the peak')
  })

  it('batched events cost the benchmark figure, scaled by growth and Citus', () => {
    // 140 µs, twice with 10 million stored, 1.5 times on Citus.
    expect(scaleArithmetic(page(), results)).toContain('at 10 million stored | 0.42 ms | 0.00 ms | 0.10 ms |')
  })

  it('a billion a day is stored for the retention window, and in part afterwards', () => {
    const text = scaleArithmetic(page(), results)
    expect(text).toContain('| a month, all tables | 24 TB | 5 |')
    expect(text).toContain('| the last 400 days (`RAW_EVENT_DAYS=400`) | 320 TB | 58 |')
    expect(text).toContain('| the last 100 days (`RAW_EVENT_DAYS=100`) | 80 TB | 15 |')
    // 0.3 kB that remain, and a twentieth of 0.5 kB of raw events.
    expect(text).toContain('the rest of raw events | 9.8 TB | 2 |')
    expect(text).toContain('| a month in Parquet files, in an object store | 3.0 TB | – |')
  })

  it('late events add their record, in full for 60 days and summed by day afterwards', () => {
    const text = scaleArithmetic(page({ 'Late events:': '10' }), results)
    expect(text).toContain('| a month, all tables | 30 TB | 6 |')
    // 0.8 kB, and a tenth of 2 kB for 60 days, of 0.5 kB for 40.
    expect(text).toContain('| the last 100 days (`RAW_EVENT_DAYS=100`) | 94 TB | 17 |')
    expect(text).toContain('the rest of raw events | 11 TB | 3 |')
  })

  it('the bottleneck is the lowest of all limits, and depends on the number of workers', () => {
    const figures = readFigures(page(), results)
    const first = (workers: number, days: number) => limitsOf(figures, workers, days)[0]!.name
    expect([1, 10, 100].map((workers) => first(workers, 400))).toEqual(
      Array(3).fill("the workers' disks (400 days)"),
    )
    expect(limitsOf(figures, 1, 100).map(({ perSecond }) => Math.round(perSecond))).toEqual([
      810, 1400, 112_000, 861_538,
    ])
    expect(limitsOf({ ...figures, diskTb: 80 }, 1, 100)[0]!.name).toBe("the workers' CPU")
    expect(limitsOf({ ...figures, diskTb: 80 }, 100, 100)[0]!.name).toBe("the coordinator's CPU")
    expect(limitsOf({ ...figures, diskTb: 80, coordinatorMs: 0, memoryGb: 8 }, 100, 100)[0]!.name).toBe(
      'connections',
    )
  })

  it('the coordinator is listed separately, even at no cost', () => {
    expect(scaleArithmetic(page(), results)).toContain('80 workers at capacity saturate the coordinator')
    expect(scaleArithmetic(page({ 'CPU of the coordinator for it:': '0' }), results)).toContain(
      'The coordinator has no part in it.',
    )
  })

  it('refuses a page or a result without an expected figure', () => {
    expect(() => scaleArithmetic('nothing', results)).toThrow('docs/scale.md no longer contains')
    expect(() => scaleArithmetic(page(), 'nothing')).toThrow('bench/RESULTS.md no longer contains')
  })

  it('the page shows the current results', () => {
    const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    const shown = read('docs/scale.md')
    expect(shown).toContain(scaleArithmetic(shown, read('bench/RESULTS.md')))
  })
})
