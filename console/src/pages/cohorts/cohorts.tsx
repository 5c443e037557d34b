import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Cohort, type CohortTotal, getCohorts } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import type { Prefetch } from '../../api/prefetch.ts'
import { type Profile, useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money, NONE, percent, plural } from '../../format/numbers.ts'
import { monthText, type Range, rangeText, today } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Change } from '../../report/change.tsx'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { type Report, reportOf } from '../../report/report.ts'
import { useReport } from '../../report/use-report.ts'
import { type CohortSearch, type ReportSearch, readCohortSearch, readReportSearch } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Heat } from '../../ui/heat.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { lastObservedDay, type Show, shareOf, yearTo } from './cohort-cells.ts'

type By = NonNullable<CohortSearch['by']>

const notes: Record<Show, string> = {
  revenue: 'Each cell is the average that a customer of the row had paid by the end of that month.',
  payback: 'Each cell is the share of the ad spend that the row’s customers had paid back by then.',
  retention: 'Each cell is the share of the row’s customers who paid in that month.',
}

const openHints: Record<By, string> = {
  month: 'Open a month to see its payments.',
  campaign: 'Open a campaign to see its payments.',
  channel: 'Open a channel to see its sources.',
}

const DEFAULT_MONTHS = 3

// A campaign or channel has new customers every month; a cell is complete once the month is over for all of them.
const yearOf = ({ range }: Report, { by = 'month', followed }: CohortSearch, timezone: string) =>
  yearTo(by === 'month' ? range.to : lastObservedDay(range.to, today(timezone), followed ?? DEFAULT_MONTHS))

const cohortsOf = ({ model }: Report, { by = 'month' }: CohortSearch, year: Range) => ({
  query: { date_from: year.from, date_to: year.to, model, by, horizon: 12 },
})

export function prefetchReads(prefetch: Prefetch, profile: Profile, search: Record<string, unknown>): void {
  const report = reportOf(readReportSearch(search), profile.timezone)
  const cohortSearch = readCohortSearch(search)
  prefetch(getCohorts, cohortsOf(report, cohortSearch, yearOf(report, cohortSearch, profile.timezone)))
}

/** New customers by their first payment: their revenue, and when it covers the ad spend. */
export function Cohorts() {
  const { profile } = useProfileContext()
  const report = useReport()
  const search = useSearch({ strict: false }) as CohortSearch
  const navigate = useNavigate()
  const by: By = search.by ?? 'month'
  const show: Show = search.show ?? 'revenue'
  const change = (next: CohortSearch) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...next }), replace: true })
  const followed = search.followed ?? DEFAULT_MONTHS
  const year = yearOf(report, search, profile.timezone)
  const cohorts = useProfileRead(getCohorts, cohortsOf(report, search, year), { keep: true })
  const before = useProfileRead(getCohorts, cohortsOf(report, search, yearTo(addDays(year.from, -1))), {
    enabled: report.compare && by !== 'month' && cohorts.data !== undefined,
  }).data?.data
  return (
    <Page
      title="Cohorts"
      note={`Customers whose first payment is in the twelve months ${rangeText(year.from, year.to)}, and what they paid afterwards. ${by === 'month' ? 'A month is shown once it is over.' : `Every customer has been followed for at least ${plural(followed, 'month')}.`}`}
      actions={
        <ReportControls withModel={by !== 'month'} withCompare datesLabel={rangeText(year.from, year.to)} />
      }
    >
      <div className="toolbar">
        <Segmented
          label="Group by"
          value={by}
          options={[
            { value: 'month', label: 'By month' },
            { value: 'campaign', label: 'By campaign' },
            { value: 'channel', label: 'By channel' },
          ]}
          onChange={(next) => change({ by: next })}
        />
        <Segmented
          label="Show"
          value={show}
          options={[
            { value: 'revenue', label: 'Revenue per customer' },
            { value: 'payback', label: 'Paid back' },
            { value: 'retention', label: 'Paid again' },
          ]}
          onChange={(next) => change({ show: next })}
        />
        {by === 'month' ? null : (
          <Segmented
            label="Followed for at least"
            value={String(followed)}
            options={['1', '3', '6'].map((months) => ({
              value: months,
              label: plural(Number(months), 'month'),
            }))}
            onChange={(next) => change({ followed: next === '1' ? 1 : next === '6' ? 6 : undefined })}
          />
        )}
      </div>
      <Loaded query={cohorts}>
        {(reply) => {
          const rows = reply.data.filter((row) => row.size > 0)
          return (
            <>
              <Caveats meta={reply.meta} />
              <Card
                title="New customers"
                note={`${notes[show]} ${openHints[by]} ${totalText(by, reply.total)}`}
                flush
              >
                {rows.length === 0 ? (
                  <Empty icon="customer" title="No first payment in these months">
                    Choose a later date, or connect a payment provider or a store.
                  </Empty>
                ) : (
                  <DataTable
                    key={by}
                    label="New customers and what they paid"
                    columns={columnsFor(
                      by,
                      show,
                      rows,
                      profile.currency,
                      year,
                      report.compare ? earlierOf(by, rows, before, today(profile.timezone)) : () => undefined,
                    )}
                    rows={rows}
                    rowKey={(row) => row.key ?? ''}
                    initialSort={
                      by === 'month' ? { id: 'name', descending: true } : { id: 'size', descending: true }
                    }
                  />
                )}
              </Card>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** Under a model that divides credit, a customer is in several rows. */
const totalText = (by: By, { size }: CohortTotal) =>
  by === 'month' ? '' : `In total ${plural(size, 'new customer')}, each counted once.`

function nameOf(by: By, row: Cohort): string {
  if (row.key === null) return 'No campaign'
  if (by === 'month') return monthText(`${row.key}-01`)
  if (by === 'channel') return row.key === 'unknown' ? 'No known visit' : sentence(row.key)
  return row.name ?? row.key
}

/** Links a row to the month's payments, to the campaign or to the channel. */
function CohortLink({ by, row, year }: { by: By; row: Cohort; year: Range }) {
  const { profile } = useProfileContext()
  const params = { profileId: profile.id }
  const name = nameOf(by, row)
  const days = (from: string, to: string) => (before: ReportSearch) => ({
    ...before,
    preset: undefined,
    from,
    to,
  })
  if (row.key === null)
    return (
      <Link to="/p/$profileId/unattributed" params={params} search={days(year.from, year.to)}>
        {name}
      </Link>
    )
  if (by === 'month') {
    const from = `${row.key}-01`
    const to = addDays(addDays(from, 31).slice(0, 8).concat('01'), -1)
    const last = today(profile.timezone)
    return (
      <Link to="/p/$profileId/payments" params={params} search={days(from, to < last ? to : last)}>
        {name}
      </Link>
    )
  }
  const { key } = row
  return by === 'campaign' ? (
    <Link
      to="/p/$profileId/campaigns"
      params={params}
      search={(before) => ({ ...days(year.from, year.to)(before), campaign: key })}
    >
      {name}
    </Link>
  ) : (
    <Link to="/p/$profileId/channels" params={params} search={days(year.from, year.to)}>
      {name}
    </Link>
  )
}

const heads: Record<By, string> = { month: 'First paid in', campaign: 'Campaign', channel: 'Channel' }

/** The row to compare with: the previous month, or the same campaign or channel in the previous twelve months. */
function earlierOf(
  by: By,
  rows: readonly Cohort[],
  before: readonly Cohort[] | undefined,
  day: string,
): (row: Cohort) => Cohort | undefined {
  const byKey = new Map((by === 'month' ? rows : (before ?? [])).map((row) => [row.key, row]))
  return (row) => {
    if (by !== 'month') return byKey.get(row.key)
    // The current month is incomplete.
    if (row.key === null || row.key >= day.slice(0, 7)) return undefined
    return byKey.get(addDays(`${row.key}-01`, -1).slice(0, 7))
  }
}

function columnsFor(
  by: By,
  show: Show,
  rows: readonly Cohort[],
  currency: string,
  year: Range,
  earlier: (row: Cohort) => Cohort | undefined,
): Column<Cohort>[] {
  const highest = Math.max(
    ...rows.flatMap((row) => row.cumulative_revenue.map((_, month) => shareOf(row, month, show) ?? 0)),
  )
  const monthCount = Math.max(
    ...rows.map((row) => row.cumulative_revenue.filter((cell) => cell !== null).length),
  )
  const sizeChange = (row: Cohort) => (
    <Change now={row.size} before={earlier(row)?.size} beforeText={count(earlier(row)?.size)} />
  )
  return [
    {
      id: 'name',
      label: heads[by],
      value: (row) => (by === 'month' ? row.key : nameOf(by, row)),
      cell: (row) => (
        <>
          <div>
            <CohortLink by={by} row={row} year={year} />
          </div>
          <span className="sub on-phone">
            {plural(row.size, 'customer')}
            {sizeChange(row)}
          </span>
        </>
      ),
    },
    {
      id: 'size',
      label: 'Customers',
      phone: 'hidden',
      number: true,
      value: (row) => row.size,
      cell: (row) => (
        <>
          {count(row.size)}
          {sizeChange(row)}
        </>
      ),
    },
    {
      id: 'spend',
      label: 'Spend',
      phone: 'hidden',
      number: true,
      value: (row) => row.spend,
      cell: (row) => (row.spend === 0 ? NONE : money(row.spend, currency)),
    },
    {
      id: 'cac',
      label: 'Cost per customer',
      phone: 'hidden',
      title: 'Spend ÷ customers',
      number: true,
      value: (row) => costOf(row),
      cell: (row) => {
        const was = earlier(row)
        const before = was && costOf(was)
        return row.spend === 0 ? (
          NONE
        ) : (
          <>
            {money(costOf(row), currency)}
            <Change now={costOf(row)} before={before} beforeText={money(before, currency)} lowerIsBetter />
          </>
        )
      },
    },
    {
      id: 'payback',
      label: 'Paid back',
      phone: 'hidden',
      title:
        'The month in which the customers’ payments cover the ad spend; month 0 is the month of the first payment',
      number: true,
      value: (row) => row.payback_month,
      cell: (row) =>
        row.payback_month === null ? (row.spend ? 'Not yet' : NONE) : `Month ${row.payback_month}`,
    },
    ...Array.from({ length: Math.max(1, monthCount) }, (_, month) =>
      monthColumn(month, show, currency, highest),
    ),
  ]
}

const costOf = (row: Cohort) => (row.spend === null ? null : row.spend / row.size)

/** `highest`: the largest amount of all cells, which gets the darkest tint. Shares are used as the tint directly. */
function monthColumn(month: number, show: Show, currency: string, highest: number): Column<Cohort> {
  return {
    id: `m${month}`,
    label: month === 0 ? 'Month 0' : String(month),
    title: month === 0 ? 'The month of the first payment' : `${month} months after the first payment`,
    number: true,
    value: (row) => shareOf(row, month, show),
    cell: (row) => {
      const value = shareOf(row, month, show)
      if (value === null) return ''
      const text = show === 'revenue' ? money(value, currency) : percent(value * 100, 0)
      const share = show === 'revenue' ? value / highest : value
      return <Heat share={share}>{text}</Heat>
    },
  }
}
