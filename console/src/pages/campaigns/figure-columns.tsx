import { costPerPayment, count, knownSpend, money, NONE, percent, ratio } from '../../format/numbers.ts'
import type { Level } from '../../names/levels.ts'
import { outcomeNoun } from '../../names/outcomes.ts'
import { sentence } from '../../names/providers.ts'
import { Change } from '../../report/change.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import type { AdRow, Row, RowsBefore } from './ad-rows.ts'
import { EntityLink } from './entity-link.tsx'
import { StatusBadge } from './status-badge.tsx'

export type FigureColumn = Column<AdRow> & {
  /** Visible by default. */
  isDefault?: boolean
}

/** Columns with a change from the previous period. The platform's own counts are loaded for the current period only. */
export const compared: ReadonlySet<string> = new Set([
  'spend',
  'revenue',
  'roas',
  'payments',
  'cac',
  'impressions',
  'clicks',
  'ctr',
  'cpc',
  'cpm',
])
export const lowerIsBetter: ReadonlySet<string> = new Set(['cac', 'cpc', 'cpm'])
export const neutral: ReadonlySet<string> = new Set(['spend', 'impressions', 'clicks'])

type Kind = 'money' | 'count' | 'ratio' | 'percent'

/** Every column that the report can show. `isDivided`: the model shares a payment between several rows. */
export function figureColumns(
  level: Level,
  currency: string,
  isDivided: boolean,
  rows: readonly AdRow[],
  {
    isInside = false,
    before,
    spendDays,
  }: {
    /** On the page of a campaign or ad set, where its name and platform need not be repeated. */
    isInside?: boolean
    /** The same rows in the previous period. */
    before?: RowsBefore['byId'] | undefined
    /** Spend per day, by id. */
    spendDays?: ReadonlyMap<string, readonly number[]> | undefined
  } = {},
): FigureColumn[] {
  const texts: Record<Kind, (value: number | null) => string> = {
    money: (value) => money(value, currency),
    count,
    ratio,
    percent: (value) => percent(value, 2, 2),
  }
  const figure = (
    id: string,
    label: string,
    kind: Kind,
    value: (row: AdRow) => number | null | undefined,
    overrides: Partial<FigureColumn> = {},
  ): FigureColumn => ({
    id,
    label,
    number: true,
    value: (row) => value(row) ?? null,
    cell: (row) => {
      const earlier = before?.get(row.campaign_id)
      const was = earlier && value(earlier as AdRow)
      return (
        <>
          {texts[kind](value(row) ?? null)}
          {compared.has(id) ? (
            <Change
              now={value(row)}
              before={was}
              beforeText={texts[kind](was ?? null)}
              lowerIsBetter={lowerIsBetter.has(id)}
              neutral={neutral.has(id)}
            />
          ) : null}
        </>
      )
    },
    ...overrides,
  })
  const word = (
    id: string,
    label: string,
    value: (row: AdRow) => string | null | undefined,
    overrides: Partial<FigureColumn> = {},
  ): FigureColumn => ({
    id,
    label,
    value: (row) => value(row) ?? null,
    cell: (row) => value(row) ?? NONE,
    ...overrides,
  })
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.campaign_name ?? row.platform_id,
      cell: (row) => (
        <EntityLink row={isInside ? { ...row, platform: null, parent_name: null } : row} level={level} />
      ),
    },
    word('status', 'Status', (row) => row.status, { cell: (row) => <StatusBadge status={row.status} /> }),
    word('platform', 'Platform', (row) => row.platform),
    ...(level === 'campaign'
      ? []
      : [
          word('parent', level === 'ad' ? 'Ad set' : 'Campaign', (row) => row.parent_name, { phone: 'wide' }),
        ]),
    ...(level === 'ad' ? [word('campaign', 'Campaign', (row) => row.campaign, { phone: 'wide' })] : []),
    figure('spend', 'Spend', 'money', (row) => knownSpend(row.spend), { isDefault: true }),
    figure('revenue', 'Revenue', 'money', (row) => row.outcome_value, {
      title: 'Cash credited under the model, refunds subtracted',
      phone: 'lead',
      isDefault: true,
    }),
    figure('roas', 'ROAS', 'ratio', (row) => row.roas, { title: 'Revenue ÷ spend', isDefault: true }),
    figure('payments', 'Payments', 'count', (row) => row.outcome_count, {
      title: 'Payments this row helped win. Under linear and time decay several rows may share one',
      isDefault: true,
    }),
    ...(isDivided
      ? [
          figure('credit', 'Credit', 'count', (row) => row.outcome_credit, {
            title: 'Shares of those payments: all rows plus Unattributed equal all payments',
            isDefault: true,
          }),
        ]
      : []),
    figure('cac', 'CAC', 'money', costPerPayment, { title: 'Spend ÷ payments', isDefault: true }),
    figure('outcomes', 'Conversions', 'count', (row) => row.attributed_outcome_count, {
      title: 'All kinds: leads, appointments, deals, payments',
      cell: (row) => <span title={kinds(row)}>{count(row.attributed_outcome_count)}</span>,
      isDefault: true,
    }),
    {
      id: 'trend',
      label: 'Spend per day',
      title: 'For the 50 rows with the highest spend; each line has its own scale',
      cell: (row) => {
        const days = spendDays?.get(row.campaign_id)
        return days ? <Sparkline values={days} width={72} height={20} /> : null
      },
      isDefault: true,
    },
    figure('impressions', 'Impressions', 'count', (row) => row.impressions, { isDefault: true }),
    figure('clicks', 'Clicks', 'count', (row) => row.clicks, { isDefault: true }),
    figure('ctr', 'CTR', 'percent', (row) => row.ctr, { title: 'Clicks ÷ impressions' }),
    figure('cpc', 'CPC', 'money', (row) => row.avg_cpc, { title: 'Spend ÷ clicks' }),
    figure('cpm', 'CPM', 'money', (row) => row.avg_cpm, { title: 'Spend per 1,000 impressions' }),
    figure('reach', 'Reach', 'count', (row) => row.reach, {
      title: 'Different accounts, as the platform reports',
    }),
    ...(level === 'ad' ? [] : [figure('budget', 'Daily budget', 'money', (row) => row.daily_budget)]),
    figure('platform_conversions', 'Platform conversions', 'count', (row) => row.platform_conversions, {
      title: 'As the platform counts them',
    }),
    figure('platform_value', 'Platform value', 'money', (row) => row.platform_value),
    ...newCustomerColumns(rows, figure),
    ...outcomeColumns(rows, figure),
  ]
}

type MakeFigure = (
  id: string,
  label: string,
  kind: Kind,
  value: (row: AdRow) => number | null | undefined,
) => FigureColumn

const newCustomers = [
  ['new_customer_count', 'New customers', 'count'],
  ['new_customer_value', 'New-customer revenue', 'money'],
  ['new_customer_cac', 'New-customer CAC', 'money'],
  ['new_customer_roas', 'New-customer ROAS', 'ratio'],
] as const

/** Only if the API returns them. */
function newCustomerColumns(rows: readonly AdRow[], figure: MakeFigure): FigureColumn[] {
  const valuesOf = (row: AdRow) => row as unknown as Record<string, number | null | undefined>
  return newCustomers
    .filter(([field]) => rows[0] && field in rows[0])
    .map(([field, label, kind]) => figure(field, label, kind, (row) => valuesOf(row)[field]))
}

/** For each outcome type of the rows: a count and a cost column. */
function outcomeColumns(rows: readonly AdRow[], figure: MakeFigure): FigureColumn[] {
  const types = [...new Set(rows.flatMap((row) => Object.keys(row.attributed_outcomes_by_type)))].sort()
  const times = (row: AdRow, type: string) => row.attributed_outcomes_by_type[type] ?? 0
  return types.flatMap((type) => [
    figure(`type:${type}`, sentence(type), 'count', (row) => times(row, type)),
    figure(`cost:${type}`, `Cost per ${outcomeNoun(type)}`, 'money', (row) =>
      row.spend === null || times(row, type) === 0 ? null : row.spend / times(row, type),
    ),
  ])
}

function kinds(row: Row): string {
  return Object.entries(row.attributed_outcomes_by_type)
    .map(([type, times]) => `${sentence(type)}: ${times}`)
    .join('\n')
}
