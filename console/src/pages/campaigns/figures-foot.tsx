import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import { type getUnattributed, listCampaigns } from '@whence/server/features/reports/contract.ts'
import type { ReactNode } from 'react'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { count, money, percent, ratio } from '../../format/numbers.ts'
import { sumMoney } from '../../format/sums.ts'
import { useReport } from '../../report/use-report.ts'
import type { Row } from './figure-columns.tsx'

type Rest = ReplyOf<typeof getUnattributed>

/** What belongs to no row, always in sight, and the sum that proves nothing is missing. */
export function FiguresFoot({
  rows,
  rest,
  openId,
  noun,
  columns,
}: {
  rows: readonly Row[]
  rest: Rest | undefined
  openId: string | undefined
  noun: string
  columns: readonly string[]
}) {
  const { profile } = usePlace()
  const amount = (value: number) => money(value, profile.currency)
  const spend = sumMoney(rows.map((row) => row.spend))
  const revenue = sumMoney(rows.map((row) => row.outcome_value))
  const sum = (of: (row: Row) => number | null | undefined) =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0)
  const [payments, outcomes] = [sum((row) => row.outcome_count), sum((row) => row.attributed_outcome_count)]
  const [impressions, clicks] = [sum((row) => row.impressions), sum((row) => row.clicks)]
  return (
    <>
      {openId ? (
        <Unnamed openId={openId} noun={noun} revenue={revenue} spend={spend} columns={columns} />
      ) : null}
      <FootRow
        columns={columns}
        name="Unattributed"
        hint={openId ? 'Of the whole profile: no ad was named' : 'No ad was named on the way'}
        cells={{
          revenue: rest ? amount(rest.outcome_value) : '…',
          payments: rest ? count(rest.outcome_count) : '…',
          outcomes: rest ? count(rest.attributed_outcome_count) : '…',
        }}
      />
      {openId ? null : (
        <FootRow
          columns={columns}
          name="Total"
          cells={{
            spend: amount(spend),
            revenue: rest ? amount(sumMoney([revenue, rest.outcome_value])) : '…',
            roas: ratio(per(revenue, spend)),
            payments: rest ? count(payments + rest.outcome_count) : '…',
            cac: money(per(spend, payments), profile.currency),
            outcomes: rest ? count(outcomes + rest.attributed_outcome_count) : '…',
            impressions: count(impressions),
            clicks: count(clicks),
            ctr: percent(per(clicks * 100, impressions), 2, 2),
            cpc: money(per(spend, clicks), profile.currency),
          }}
        />
      )}
    </>
  )
}

const per = (amount: number, things: number) => (things === 0 ? null : amount / things)

/** Credit of the opened entity that names nothing below it. */
function Unnamed({
  openId,
  noun,
  revenue,
  spend,
  columns,
}: {
  openId: string
  noun: string
  revenue: number
  spend: number
  columns: readonly string[]
}) {
  const { profile } = usePlace()
  const { query } = useReport()
  const level = noun === 'ad set' ? 'campaign' : 'ad_set'
  const above = useProfileRead(listCampaigns, { query: { ...query, level, limit: '100' } }, { keep: true })
  const parent = above.data?.data.find((row) => row.campaign_id === openId)
  if (!parent) return null
  const spendLeft = sumMoney([parent.spend, -spend])
  const revenueLeft = sumMoney([parent.outcome_value, -revenue])
  if (spendLeft === 0 && revenueLeft === 0) return null
  return (
    <FootRow
      columns={columns}
      name={`Names no ${noun}`}
      hint={`Credited to the ${noun === 'ad set' ? 'campaign' : 'ad set'} without naming one`}
      cells={{
        spend: money(spendLeft, profile.currency),
        revenue: money(revenueLeft, profile.currency),
      }}
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
  name: string
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
