import { Link } from '@tanstack/react-router'
import type { CampaignTotal, getUnattributed } from '@whence/server/features/insights/reports/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import type { ReactNode } from 'react'
import { usePlace } from '../../api/profile.ts'
import { count, money, percent, ratio } from '../../format/numbers.ts'
import { sumMoney } from '../../format/sums.ts'
import type { AdRow } from './ad-rows.ts'

type Rest = ReplyOf<typeof getUnattributed>
export type Total = CampaignTotal

/** All rows together, those that the filters leave, and what belongs to none of them. */
export function FiguresFoot({
  rows,
  shown,
  isWhole,
  total,
  rest,
  openId,
  noun,
  columns,
}: {
  rows: readonly AdRow[]
  shown: readonly AdRow[]
  /** Whether all rows have come. */
  isWhole: boolean
  total: Total
  rest: Rest | undefined
  openId: string | undefined
  noun: string
  columns: readonly string[]
}) {
  const { profile } = usePlace()
  const amount = (value: number | null) => money(value, profile.currency)
  return (
    <>
      {shown.length < rows.length ? (
        <FootRow columns={columns} name="Rows shown" cells={sumsOf(shown, profile.currency)} />
      ) : null}
      {openId && isWhole ? <Unnamed rows={rows} total={total} noun={noun} columns={columns} /> : null}
      <FootRow
        columns={columns}
        name={openId ? 'Total' : `All ${noun}s`}
        hint="ROAS and CAC of credited revenue"
        cells={{
          spend: amount(total.spend),
          revenue: amount(total.outcome_value),
          roas: ratio(total.roas),
          payments: count(total.outcome_count),
          credit: count(total.outcome_credit),
          cac: amount(total.cac),
          outcomes: count(total.attributed_outcome_count),
          impressions: count(total.impressions),
          clicks: count(total.clicks),
          ctr: percent(total.ctr, 2, 2),
          cpc: amount(total.avg_cpc),
          cpm: amount(total.avg_cpm),
          ...byType(total.attributed_outcomes_by_type),
        }}
      />
      {openId ? null : (
        <FootRow
          columns={columns}
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

/** What adds up: a payment that two rows share is no sum, so payments and CAC are left out. */
function sumsOf(rows: readonly AdRow[], currency: string): Record<string, string> {
  const sum = (of: (row: AdRow) => number | null | undefined) => sumMoney(rows.map((row) => of(row) ?? 0))
  const [spend, revenue] = [sum((row) => row.spend), sum((row) => row.outcome_value)]
  return {
    spend: money(spend, currency),
    revenue: money(revenue, currency),
    roas: ratio(spend === 0 ? null : revenue / spend),
    impressions: count(sum((row) => row.impressions)),
    clicks: count(sum((row) => row.clicks)),
  }
}

/** What the opened entity has in addition to its children. */
function Unnamed({
  rows,
  total,
  noun,
  columns,
}: {
  rows: readonly AdRow[]
  total: Total
  noun: string
  columns: readonly string[]
}) {
  const { profile } = usePlace()
  const left = (of: (row: { spend: number | null; outcome_value: number | null }) => number | null) =>
    sumMoney([of(total) ?? 0, ...rows.map((row) => -(of(row) ?? 0))])
  const [spend, revenue] = [left((row) => row.spend), left((row) => row.outcome_value)]
  if (spend === 0 && revenue === 0) return null
  return (
    <FootRow
      columns={columns}
      name={`No ${noun} known`}
      hint={`Credited to the ${noun === 'ad set' ? 'campaign' : 'ad set'} only`}
      cells={{ spend: money(spend, profile.currency), revenue: money(revenue, profile.currency) }}
    />
  )
}

export function FootRow({
  columns,
  name,
  hint,
  cells,
}: {
  columns: readonly string[]
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
          <td key={id} className="number">
            {cells[id] ?? ''}
          </td>
        ),
      )}
    </tr>
  )
}
