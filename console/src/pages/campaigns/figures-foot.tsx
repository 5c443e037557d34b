import { Link } from '@tanstack/react-router'
import type { CampaignTotal, DataOf, getUnattributed } from '@whence/sdk'
import type { ReactNode } from 'react'
import { usePlace } from '../../api/profile.ts'
import { count, money, percent, ratio } from '../../format/numbers.ts'
import { sumMoney } from '../../format/sums.ts'
import { Change } from '../../report/change.tsx'
import type { AdRow, RowsBefore } from './ad-rows.ts'
import { addUp, type FigureId, type Figures } from './add-up.ts'
import { lowerIsBetter, neutral } from './figure-columns.tsx'

type Rest = DataOf<typeof getUnattributed>
export type Total = CampaignTotal
type Labels = Partial<Record<string, string>>

/** All rows together, those that the filters leave, and what belongs to none of them. */
export function FiguresFoot({
  rows,
  shown,
  isWhole,
  total,
  before,
  isDivided,
  rest,
  openId,
  noun,
  columns,
  labels,
}: {
  rows: readonly AdRow[]
  shown: readonly AdRow[]
  /** Whether all rows have come. */
  isWhole: boolean
  total: Total
  before: RowsBefore | undefined
  /** Several rows may share a payment, so that payments do not add up. */
  isDivided: boolean
  rest: Rest | undefined
  openId: string | undefined
  noun: string
  columns: readonly string[]
  labels: Labels
}) {
  const { profile } = usePlace()
  const amount = (value: number | null) => money(value, profile.currency)
  return (
    <>
      {shown.length < rows.length ? (
        <FootRow
          columns={columns}
          labels={labels}
          name="Rows shown"
          cells={sumsOf(shown, before, { currency: profile.currency, isDivided })}
        />
      ) : null}
      {openId && isWhole ? (
        <Unnamed rows={rows} total={total} noun={noun} columns={columns} labels={labels} />
      ) : null}
      <FootRow
        columns={columns}
        labels={labels}
        name={openId ? 'Total' : `All ${noun}s`}
        hint="ROAS and CAC of credited revenue"
        cells={{
          ...toCells(figuresOf(total), before && figuresOf(before.total), profile.currency),
          credit: count(total.outcome_credit),
          outcomes: count(total.attributed_outcome_count),
          ...byType(total.attributed_outcomes_by_type),
        }}
      />
      {openId ? null : (
        <FootRow
          columns={columns}
          labels={labels}
          name={
            <Link to="/p/$profileId/unattributed" params={{ profileId: profile.id }}>
              Unattributed
            </Link>
          }
          hint="Revenue without a known ad"
          cells={{
            revenue: rest ? amount(rest.outcome_value) : '…',
            payments: rest ? count(rest.outcome_count) : '…',
            credit: rest ? count(rest.outcome_credit) : '…',
            outcomes: rest ? count(rest.attributed_outcome_count) : '…',
            ...byType(rest?.attributed_outcomes_by_type ?? {}),
          }}
        />
      )}
    </>
  )
}

function byType(counts: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(counts).map(([type, times]) => [`type:${type}`, count(times)]))
}

const figuresOf = (total: Total): Figures => ({
  spend: total.spend,
  revenue: total.outcome_value,
  roas: total.roas,
  payments: total.outcome_count,
  cac: total.cac,
  impressions: total.impressions,
  clicks: total.clicks,
  ctr: total.ctr,
  cpc: total.avg_cpc,
  cpm: total.avg_cpm,
})

const kindOf: Record<FigureId, (value: number | null, currency: string) => string> = {
  spend: money,
  revenue: money,
  roas: ratio,
  payments: (value) => count(value),
  cac: money,
  impressions: (value) => count(value),
  clicks: (value) => count(value),
  ctr: (value) => percent(value, 2, 2),
  cpc: money,
  cpm: money,
}

/** Each figure with its change to the period before, where that is known. */
function toCells(now: Figures, before: Figures | undefined, currency: string): Record<string, ReactNode> {
  const ids = Object.keys(now) as FigureId[]
  const cell = (id: FigureId) => {
    const text = (value: number | null | undefined) => kindOf[id](value ?? null, currency)
    return (
      <>
        {text(now[id])}
        <Change
          now={now[id]}
          before={before?.[id]}
          was={text(before?.[id])}
          lowerIsBetter={lowerIsBetter.has(id)}
          neutral={neutral.has(id)}
        />
      </>
    )
  }
  return Object.fromEntries(ids.map((id) => [id, cell(id)]))
}

/** What adds up, and what follows from it. Under models that divide, two rows may share a payment, which is no sum. */
function sumsOf(
  rows: readonly AdRow[],
  before: RowsBefore | undefined,
  { currency, isDivided }: { currency: string; isDivided: boolean },
): Record<string, ReactNode> {
  const earlier = before && rows.flatMap((row) => before.byId.get(row.campaign_id) ?? [])
  return toCells(addUp(rows, isDivided), earlier && addUp(earlier, isDivided), currency)
}

/** What the opened entity has in addition to its children. */
function Unnamed({
  rows,
  total,
  noun,
  columns,
  labels,
}: {
  rows: readonly AdRow[]
  total: Total
  noun: string
  columns: readonly string[]
  labels: Labels
}) {
  const { profile } = usePlace()
  const left = (of: (row: { spend: number | null; outcome_value: number | null }) => number | null) =>
    sumMoney([of(total) ?? 0, ...rows.map((row) => -(of(row) ?? 0))])
  const [spend, revenue] = [left((row) => row.spend), left((row) => row.outcome_value)]
  if (spend === 0 && revenue === 0) return null
  return (
    <FootRow
      columns={columns}
      labels={labels}
      name={`No ${noun} known`}
      hint={`Credited to the ${noun === 'ad set' ? 'campaign' : 'ad set'} only`}
      cells={{ spend: money(spend, profile.currency), revenue: money(revenue, profile.currency) }}
    />
  )
}

export function FootRow({
  columns,
  labels,
  name,
  hint,
  cells,
}: {
  columns: readonly string[]
  /** Shown where rows are cards. */
  labels?: Labels
  name: ReactNode
  hint?: string
  cells: Partial<Record<string, ReactNode>>
}) {
  return (
    <tr>
      {columns.map((id, index) =>
        index === 0 ? (
          <th key={id} scope="row" className="row-name">
            {name}
            {hint ? <span className="sub">{hint}</span> : null}
          </th>
        ) : (
          <td key={id} className="number" data-label={labels?.[id]}>
            {cells[id] ?? ''}
          </td>
        ),
      )}
    </tr>
  )
}
