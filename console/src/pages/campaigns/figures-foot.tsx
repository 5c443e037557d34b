import { Link } from '@tanstack/react-router'
import type { CampaignTotal, DataOf, getUnattributed } from '@whence/sdk'
import type { ReactNode } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { costPerPayment, count, knownSpend, money, percent, ratio } from '../../format/numbers.ts'
import { sumMoney } from '../../format/sums.ts'
import { Change } from '../../report/change.tsx'
import type { AdRow, RowsBefore } from './ad-rows.ts'
import { addUp, type FigureId, type Figures } from './add-up.ts'
import { lowerIsBetter, neutral } from './figure-columns.tsx'

type Unattributed = DataOf<typeof getUnattributed>
export type Total = CampaignTotal
type Labels = Partial<Record<string, string>>

/** Footer: the total, the sum of the filtered rows and what is unattributed. */
export function FiguresFoot({
  rows,
  shown,
  isWhole,
  total,
  before,
  isDivided,
  unattributed,
  openId,
  noun,
  columns,
  labels,
}: {
  rows: readonly AdRow[]
  shown: readonly AdRow[]
  /** All rows are loaded. */
  isWhole: boolean
  total: Total
  before: RowsBefore | undefined
  /** Rows may share a payment, so payments are not summed. */
  isDivided: boolean
  unattributed: Unattributed | undefined
  openId: string | undefined
  noun: string
  columns: readonly string[]
  labels: Labels
}) {
  const { profile } = useProfileContext()
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
            revenue: unattributed ? amount(unattributed.outcome_value) : '…',
            payments: unattributed ? count(unattributed.outcome_count) : '…',
            credit: unattributed ? count(unattributed.outcome_credit) : '…',
            outcomes: unattributed ? count(unattributed.attributed_outcome_count) : '…',
            ...byType(unattributed?.attributed_outcomes_by_type ?? {}),
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
  spend: knownSpend(total.spend),
  revenue: total.outcome_value,
  roas: total.roas,
  payments: total.outcome_count,
  cac: costPerPayment(total),
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

/** Each figure with its change from the previous period, if that is loaded. */
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
          beforeText={text(before?.[id])}
          lowerIsBetter={lowerIsBetter.has(id)}
          neutral={neutral.has(id)}
        />
      </>
    )
  }
  return Object.fromEntries(ids.map((id) => [id, cell(id)]))
}

function sumsOf(
  rows: readonly AdRow[],
  before: RowsBefore | undefined,
  { currency, isDivided }: { currency: string; isDivided: boolean },
): Record<string, ReactNode> {
  const earlier = before && rows.flatMap((row) => before.byId.get(row.campaign_id) ?? [])
  return toCells(addUp(rows, isDivided), earlier && addUp(earlier, isDivided), currency)
}

/** The part of the open entity's figures that none of its children has. */
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
  const { profile } = useProfileContext()
  const remainder = (
    select: (row: { spend: number | null; outcome_value: number | null }) => number | null,
  ) => sumMoney([select(total) ?? 0, ...rows.map((row) => -(select(row) ?? 0))])
  const [spend, revenue] = [remainder((row) => row.spend), remainder((row) => row.outcome_value)]
  if (spend === 0 && revenue === 0) return null
  return (
    <FootRow
      columns={columns}
      labels={labels}
      name={`Unknown ${noun}`}
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
  /** Labels of the cells when rows are shown as cards. */
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
