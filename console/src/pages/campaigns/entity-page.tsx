import { type DataOf, getCampaign } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import type { Point, Series } from '../../charts/series.ts'
import {
  axisMoney,
  costPerPayment,
  count,
  knownSpend,
  money,
  percent,
  ratio,
  wholeMoney,
} from '../../format/numbers.ts'
import { dayText, type Range, rangeText } from '../../format/times.ts'
import { levelNouns } from '../../names/levels.ts'
import { modelNames } from '../../names/models.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { ReportControls } from '../../report/controls.tsx'
import { DayChart } from '../../report/day-chart.tsx'
import { Delta } from '../../report/delta.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { NotesButton } from '../../report/notes.tsx'
import { useReport } from '../../report/use-report.ts'
import type { CampaignSearch } from '../../search.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stat } from '../../ui/stat.tsx'
import { AdsReport } from './ads-report.tsx'
import { Conversions } from './conversions.tsx'
import { Crumbs } from './crumbs.tsx'
import { EntityCreatives } from './entity-creatives.tsx'
import { levelBelow } from './levels.ts'
import { RowActions } from './row-actions.tsx'
import { StatusBadge } from './status-badge.tsx'

type Entity = DataOf<typeof getCampaign>

const series: readonly Series[] = [
  { key: 'revenue', label: 'Revenue', color: 'var(--chart-1)', kind: 'area' },
  { key: 'spend', label: 'Spend', color: 'var(--chart-4)', kind: 'line' },
]

/** Everything about one campaign, ad set or ad in the chosen days. */
export function EntityPage({ id, search }: { id: string; search: CampaignSearch }) {
  const { profile } = useProfileContext()
  const { query, queryBefore, compare, range, previous, model } = useReport()
  const entity = useProfileRead(getCampaign, { params: { id }, query }, { keep: true })
  // Previous data stays visible while dates change, but not while another entity loads.
  const isSame = [entity.data?.data.campaign_id, entity.data?.data.platform_id].includes(id)
  const current = isSame ? entity.data : undefined
  const data = current?.data
  const before = useProfileRead(
    getCampaign,
    { params: { id }, query: queryBefore },
    { enabled: compare && data !== undefined },
  ).data?.data
  const below = data && levelBelow[data.entity_level]
  const failed = entity.isError && !data
  return (
    <Page
      title={data ? (data.campaign_name ?? data.platform_id) : failed ? 'Not available' : ' '}
      crumbs={<Crumbs search={search} parents={data?.parents ?? []} />}
      note={
        data ? (
          <span className="toolbar">
            {sentence(levelNouns[data.entity_level])} at {providerName(data.platform)}
            <StatusBadge status={data.status} />
            <span>
              {rangeText(range.from, range.to)}. {modelNames[model].rule}
            </span>
          </span>
        ) : (
          ' '
        )
      }
      actions={
        <>
          {data ? <RowActions row={data} level={data.entity_level} wide /> : null}
          <ReportControls withCompare />
        </>
      }
    >
      {failed ? (
        <Card>
          <Failure error={entity.error} retry={() => void entity.refetch()} />
        </Card>
      ) : (
        <>
          {current ? <Caveats meta={current.meta} /> : null}
          <Figures
            entity={data}
            before={compare ? before : undefined}
            period={rangeText(previous.from, previous.to, false)}
            currency={profile.currency}
          />
          {data ? <CalibrationNotice entity={data} currency={profile.currency} /> : null}
          <Card title="Revenue and spend by day" actions={<NotesButton />}>
            <DayChart
              height={260}
              props={
                data && {
                  summary: `Revenue and spend of ${data.campaign_name ?? data.platform_id} per day.`,
                  points: daysIn(range, data.days),
                  series,
                  format: (value) => money(value, profile.currency),
                  tick: (value) => axisMoney(value, profile.currency),
                }
              }
            />
          </Card>
          {data ? (
            <div className="platforms">
              <ByModel entity={data} currency={profile.currency} />
              <PlatformComparison entity={data} currency={profile.currency} />
            </div>
          ) : null}
          {data ? <EntityCreatives entity={data} /> : null}
          {below ? <AdsReport key={id} level={below} parentId={id} /> : null}
          {/* The key keeps rows of the previous entity from showing under the new name. */}
          <Conversions key={id} entityId={id} currency={profile.currency} />
        </>
      )}
    </Page>
  )
}

/** A study's result next to the credit. It does not change the figures above. */
function CalibrationNotice({ entity, currency }: { entity: Entity; currency: string }) {
  const { calibration, outcome_value: credited } = entity
  if (calibration?.buyers) return <BuyersNotice calibration={calibration} buyers={calibration.buyers} />
  if (calibration === null || calibration.incremental_value === null || calibration.factor === null)
    return null
  const moneyText = (value: number | null) => wholeMoney(value, currency)
  return (
    <Notice>
      Credited {moneyText(credited)}, incremental {moneyText(calibration.incremental_low)} to{' '}
      {moneyText(calibration.incremental_high)}, most likely {moneyText(calibration.incremental_value)}.
      Measured by the {calibration.kind} study “{calibration.name}”, which ended on{' '}
      {dayText(calibration.ends_at.slice(0, 10), true)}: during it, these ads caused{' '}
      {ratio(calibration.factor)} what they were credited with. Other figures on this page do not include it.
    </Notice>
  )
}

type Calibration = NonNullable<Entity['calibration']>

function BuyersNotice({
  calibration,
  buyers,
}: {
  calibration: Calibration
  buyers: NonNullable<Calibration['buyers']>
}) {
  return (
    <Notice>
      Credited {count(buyers.credited)} buyers, incremental {count(buyers.incremental_low)} to{' '}
      {count(buyers.incremental_high)}, most likely {count(buyers.incremental)}, during the {calibration.kind}{' '}
      study “{calibration.name}”, which ended on {dayText(calibration.ends_at.slice(0, 10), true)}. Other
      figures on this page do not include it.
    </Notice>
  )
}

type Figure = {
  label: string
  rule: string
  select: (row: Entity) => number | null
  text: (value: number | null) => string
  lowerIsBetter?: boolean
  neutral?: boolean
}

function Figures({
  entity,
  before,
  period,
  currency,
}: {
  entity: Entity | undefined
  before: Entity | undefined
  period: string
  currency: string
}) {
  const moneyText = (value: number | null) => wholeMoney(value, currency)
  const figures: Figure[] = [
    {
      label: 'Spend',
      rule: 'As the platform reports',
      select: (row) => knownSpend(row.spend),
      text: moneyText,
      neutral: true,
    },
    {
      label: 'Revenue',
      rule: 'Credited cash less refunds',
      select: (row) => row.outcome_value,
      text: moneyText,
    },
    { label: 'ROAS', rule: 'Revenue ÷ spend', select: (row) => row.roas, text: ratio },
    {
      label: 'Payments',
      rule: 'Payments these ads helped win',
      select: (row) => row.outcome_count,
      text: (value) => count(value),
    },
    {
      label: 'CAC',
      rule: 'Spend ÷ payments',
      select: costPerPayment,
      text: (value) => money(value, currency),
      lowerIsBetter: true,
    },
    {
      label: 'CTR',
      rule: 'Clicks ÷ impressions',
      select: (row) => row.ctr,
      text: (value) => percent(value, 2, 2),
    },
  ]
  return (
    <dl className="grid-stats">
      {figures.map(({ label, rule, select, text, ...sense }) => (
        <Stat
          key={label}
          label={label}
          title={rule}
          value={entity ? text(select(entity)) : <Skeleton width={110} height={32} />}
          detail={
            entity && before ? (
              <Delta now={select(entity)} before={select(before)} period={period} {...sense} />
            ) : (
              rule
            )
          }
        />
      ))}
    </dl>
  )
}

function ByModel({ entity, currency }: { entity: Entity; currency: string }) {
  type Row = Entity['by_model'][number]
  const columns: Column<Row>[] = [
    { id: 'model', label: 'Model', cell: (row) => modelNames[row.model].name },
    {
      id: 'revenue',
      label: 'Revenue',
      number: true,
      phone: 'lead',
      cell: (row) => money(row.outcome_value, currency),
    },
    { id: 'payments', label: 'Payments', number: true, cell: (row) => count(row.outcome_count) },
    { id: 'roas', label: 'ROAS', number: true, cell: (row) => ratio(row.roas) },
    { id: 'cac', label: 'CAC', number: true, cell: (row) => money(entity.spend ? row.cac : null, currency) },
  ]
  return (
    <Card title="By model" flush>
      <DataTable
        label="By model"
        columns={columns}
        rows={entity.by_model}
        rowKey={(row) => row.model}
        cards
      />
    </Card>
  )
}

function PlatformComparison({ entity, currency }: { entity: Entity; currency: string }) {
  const platform = providerName(entity.platform)
  const value = entity.platform_conversion_value === null ? null : Number(entity.platform_conversion_value)
  type Row = { id: string; label: string; theirs: string; ours: string }
  const rows: Row[] = [
    {
      id: 'conversions',
      label: 'Conversions',
      theirs: count(entity.platform_conversions),
      ours: count(entity.attributed_outcome_count),
    },
    {
      id: 'value',
      label: 'Value',
      theirs: money(value, currency),
      ours: money(entity.outcome_value, currency),
    },
    {
      id: 'roas',
      label: 'ROAS',
      theirs: ratio(value === null || !entity.spend ? null : value / entity.spend),
      ours: ratio(entity.roas),
    },
  ]
  const columns: Column<Row>[] = [
    { id: 'label', label: '', cell: (row) => row.label },
    { id: 'theirs', label: platform, number: true, cell: (row) => row.theirs },
    { id: 'ours', label: 'Whence', number: true, cell: (row) => row.ours },
  ]
  return (
    <Card title="Platform and Whence" note="Each counts by its own rules; the two are not added up." flush>
      <DataTable label="Platform and Whence" columns={columns} rows={rows} rowKey={(row) => row.id} />
    </Card>
  )
}

/** Every day of the range, including days without data. */
function daysIn({ from, to }: Range, days: Entity['days']): Point[] {
  const byDay = new Map(days.map((day) => [day.date, day]))
  const points: Point[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const figures = byDay.get(day)
    points.push({
      label: dayText(day),
      title: dayText(day, true),
      days: { from: day, to: day },
      values: {
        revenue: figures?.outcome_value ?? (figures ? null : 0),
        spend: figures?.spend ?? (figures ? null : 0),
      },
      ...(figures
        ? {
            detail: [
              { label: 'Payments', value: count(figures.outcome_count) },
              { label: 'Clicks', value: count(figures.clicks) },
            ],
          }
        : {}),
    })
  }
  return points
}
