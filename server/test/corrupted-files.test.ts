/**
 * Corrupted records in files: one cell of one row of a report or of a lead file is replaced by nonsense, and at
 * most that row is lost. JSON records are corrupted in corruptions.long.test.ts. `SEED` changes what is corrupted.
 */
import { expect, test } from 'vitest'
import type { SyncRecord } from '../src/connectors/connector.ts'
import { toClicks } from '../src/connectors/microsoft-ads/clicks.ts'
import { asItem, deliveryReports } from '../src/connectors/microsoft-ads/delivery.ts'
import { toDelivery } from '../src/connectors/microsoft-ads/mapping.ts'
import { mapItems } from '../src/connectors/set-aside.ts'
import { toLeads } from '../src/connectors/tiktok-ads/lead-file.ts'
import { isDay } from '../src/platform/contract/dates.ts'
import { seededRandom } from '../src/platform/seeded-random.ts'

const SEED = process.env.SEED ?? '1'
const ROUNDS = 100

const nonsense = ['', ' ', 'nonsense', '2026-99-99', '9'.repeat(400), '-5', '1e999', '0.5', '--', '"', '\n,']

type Row = Record<string, string>
const rowsOf = (make: (index: number) => Row) => Array.from({ length: 6 }, (_, index) => make(index))

const deliveryRow = (index: number): Row => ({
  TimePeriod: `2026-02-0${index + 1}`,
  CampaignId: '381230001',
  AdGroupId: '1234567890123456',
  AdId: `98765432109876540${index}`,
  CurrencyCode: 'USD',
  Spend: '12.34',
  Impressions: '1,200',
  Clicks: '31',
  ConversionsQualified: '2.50',
  Revenue: '99.00',
})
const clickRow = (index: number): Row => ({
  TimePeriod: '2026-02-01',
  CampaignId: '381230001',
  AdGroupId: '1234567890123456',
  AdId: '987654321098765400',
  MSClickId: `5b2e4f0ac9d01a3e2c1b2d4e6f7a8b9${index}`,
})
const leadRow = (index: number): Row => ({
  lead_id: `740000000000000000${index}`,
  created_time: '2026-02-01 10:00:00',
  ad_id: '1700000000000000001',
  campaign_id: '1800000000000000001',
  Email: `person${index}@example.com`,
  Phone: '+12025550100',
})

const csvOf = (rows: readonly Row[]) =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
    .join('\r\n')

const mappings: [string, (index: number) => Row, (rows: Row[]) => SyncRecord[]][] = [
  [
    'a row of a Microsoft report of spend',
    deliveryRow,
    (rows) =>
      mapItems('delivery', rows.map(asItem), (row) => toDelivery(row, deliveryReports.AdPerformance, 'USD'))
        .records,
  ],
  [
    'a row of a Microsoft report of clicks',
    clickRow,
    (rows) => mapItems('click', rows.map(asItem), toClicks).records,
  ],
  [
    'a lead of a TikTok file',
    leadRow,
    (rows) => toLeads(Buffer.from(csvOf(rows)), '77', '2026-01-01T00:00:00.000Z').records,
  ],
]

test.each(mappings)(
  'a corrupted %s affects at most itself, and remaining records have a day',
  (name, make, map) => {
    const rows = rowsOf(make)
    expect(map(rows).length).toBeGreaterThanOrEqual(rows.length)
    for (let round = 0; round < ROUNDS; round++) {
      const random = seededRandom(SEED, name, round)
      const chosen = random.int(0, rows.length - 1)
      const row = { ...rows[chosen]!, [random.pick(Object.keys(rows[chosen]!))]: random.pick(nonsense) }
      const what = `round ${round} of SEED=${SEED}: ${JSON.stringify(row).slice(0, 600)}`
      const records = map(rows.with(chosen, row))
      expect(records, what).toEqual(expect.arrayContaining(map(rows.filter((_, index) => index !== chosen))))
      for (const record of records) if ('day' in record) expect(isDay(record.day), what).toBe(true)
    }
  },
)
