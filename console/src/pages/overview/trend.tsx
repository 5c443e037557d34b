import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import type { Point, Series } from '../../charts/series.ts'
import { axisMoney, money } from '../../format/numbers.ts'
import { DayChart } from '../../report/day-chart.tsx'
import { NotesButton } from '../../report/notes.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Check } from '../../ui/field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { type Day, trendPoints } from './trend-points.ts'

const revenue: Series = { key: 'revenue', label: 'Revenue', color: 'var(--chart-1)', kind: 'area' }
const spend: Series = { key: 'spend', label: 'Spend', color: 'var(--chart-4)', kind: 'line' }
const revenueBefore: Series = {
  key: 'revenueBefore',
  label: 'Revenue, previous period',
  color: 'var(--chart-1)',
  kind: 'line',
  dashed: true,
}

/** Revenue and spend over time, as a chart or a table. */
export function Trend({
  days,
  before,
}: {
  days: readonly Day[] | undefined
  before: readonly Day[] | undefined
}) {
  const { profile } = useProfileContext()
  const { compare, change } = useReport()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const points = days && trendPoints(days, before)
  const format = (value: number) => money(value, profile.currency)
  return (
    <Card
      title="Revenue and spend"
      actions={
        <>
          <Check
            label="Compare with the previous period"
            checked={compare}
            onChange={(event) => change({ compare: event.target.checked })}
          />
          <NotesButton />
          <Segmented
            label="Show the trend as"
            value={view}
            options={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            onChange={setView}
          />
        </>
      }
      flush={view === 'table'}
    >
      {view === 'table' && points ? (
        <div className="trend-table">
          <DataTable
            label="Revenue and spend"
            columns={columns(profile.currency, before !== undefined)}
            rows={points}
            rowKey={(row) => row.title}
          />
        </div>
      ) : (
        <DayChart
          props={
            points && {
              summary: `From ${points[0]!.title} to ${points.at(-1)!.title}: revenue and spend per ${days.length === points.length ? 'day' : 'week'}. The table has every figure.`,
              points,
              series: before ? [revenue, spend, revenueBefore] : [revenue, spend],
              format,
              tick: (value) => axisMoney(value, profile.currency),
            }
          }
        />
      )}
    </Card>
  )
}

function columns(currency: string, hasBefore: boolean): Column<Point>[] {
  const amount = (id: 'revenue' | 'spend' | 'revenueBefore', label: string): Column<Point> => ({
    id,
    label,
    number: true,
    cell: (row) => (
      <>
        {money(row.values[id], currency)}
        {row.dates?.[id] ? <span className="sub">{row.dates[id]}</span> : null}
      </>
    ),
  })
  return [
    { id: 'label', label: 'When', cell: (row) => row.title },
    amount('revenue', 'Revenue'),
    amount('spend', 'Spend'),
    ...(hasBefore ? [amount('revenueBefore', 'Revenue, previous period')] : []),
  ]
}
