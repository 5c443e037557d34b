import { type Model, models } from '@whence/engine'
import { expect } from 'vitest'
import { getCohorts } from '../src/features/insights/cohorts/contract.ts'
import { getChannels } from '../src/features/insights/reports/channels/contract.ts'
import { getUnattributed, listCampaigns } from '../src/features/insights/reports/contract.ts'
import type { Client } from '../src/platform/contract/client.ts'
import { toMinor } from '../src/platform/contract/money.ts'
import { openExport } from './exported-files.ts'

type Range = { date_from: string; date_to: string }
type Compared = {
  folder: string
  call: Client
  currency: string
  ranges: readonly Range[]
  /** Months of the cohorts. */
  months: Range
}

/** Compares every report of docs/sql with the response of the API. */
export async function compareReports(
  { folder, call, currency, ranges, months }: Compared,
  compared: readonly Model[] = models,
): Promise<{ cohortCells: number }> {
  const minor = (value: number | null) => (value === null ? null : toMinor(value, currency))
  const files = await openExport(folder)
  for (const range of ranges)
    for (const model of compared) {
      for (const level of ['campaign', 'ad_set', 'ad'] as const) {
        const rows = await files.report('campaigns', { ...range, model, level })
        const { data } = await call(listCampaigns, { query: { ...range, model, level, limit: '100' } })
        const entityRows = rows.filter(({ id }) => id !== null)
        expect(
          entityRows.map(({ name: _, ...row }) => row),
          `${model} ${level}`,
        ).toEqual(
          data.map((row) => ({
            id: row.campaign_id,
            spend_minor: minor(row.spend),
            impressions: row.impressions,
            clicks: row.clicks,
            outcome_count: row.outcome_count,
            outcome_credit: row.outcome_credit,
            outcome_value_minor: minor(row.outcome_value),
            attributed_outcome_count: row.attributed_outcome_count,
            new_customer_count: row.new_customer_count,
            new_customer_value_minor: minor(row.new_customer_value ?? null),
            fx_missing: row.fx_missing,
          })),
        )
        const { data: unattributed } = await call(getUnattributed, { query: { ...range, model, level } })
        const [none] = rows.filter(({ id }) => id === null)
        expect(none?.outcome_value_minor ?? 0).toBe(minor(unattributed.outcome_value))
        expect(none?.outcome_count ?? 0).toBe(unattributed.outcome_count)
        expect(none?.new_customer_value_minor ?? 0).toBe(minor(unattributed.new_customer_value))
      }
      const channels = await files.report('channels', { ...range, model })
      const { data } = await call(getChannels, { query: { ...range, model } })
      const byName = (rows: { channel?: unknown }[]) =>
        rows.toSorted((a, b) => (String(a.channel) < String(b.channel) ? -1 : 1))
      expect(byName(channels)).toEqual(
        byName(
          data.map((row) => ({
            channel: row.channel,
            spend_minor: minor(row.spend),
            outcome_count: row.outcome_count,
            outcome_credit: row.outcome_credit,
            outcome_value_minor: minor(row.outcome_value),
            attributed_outcome_count: row.attributed_outcome_count,
            new_customer_count: row.new_customer_count,
          })),
        ),
      )
    }
  const cells = await files.report('cohorts', { ...months, horizon: 3 })
  const { data } = await call(getCohorts, { query: { ...months, horizon: 3 } })
  let cohortCells = 0
  for (const cohort of data)
    for (const [after, revenue] of cohort.cumulative_revenue.entries()) {
      if (revenue === null || cohort.size === 0) continue
      const cell = cells.find(({ month, months_after }) => month === cohort.key && months_after === after)
      cohortCells += 1
      expect(cell).toMatchObject({
        size: cohort.size,
        cumulative_minor: minor(revenue),
        paying_customers: cohort.paying_customers[after],
      })
    }
  files.close()
  return { cohortCells }
}
