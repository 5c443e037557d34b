import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import { type getUnattributed, listCampaigns } from '@whence/server/features/reports/contract.ts'
import type { ReactNode } from 'react'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { count, money, ratio } from '../../format/numbers.ts'
import { useReport } from '../../report/use-report.ts'
import type { Row } from './figure-columns.tsx'
import { sumMoney } from './sums.ts'

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
            roas: ratio(spend === 0 ? null : revenue / spend),
          }}
        />
      )}
    </>
  )
}

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
  return (
    <FootRow
      columns={columns}
      name={`Names no ${noun}`}
      hint="Credited above, without saying where below"
      cells={{
        spend: money(sumMoney([parent.spend, -spend]), profile.currency),
        revenue: money(sumMoney([parent.outcome_value, -revenue]), profile.currency),
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
