import { useState } from 'react'
import { usePlace } from '../../api/profile.ts'
import { useLoaded } from '../../charts/use-loaded.ts'
import { money } from '../../format/numbers.ts'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Check } from '../../ui/field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Day, type Point, trendPoints } from './trend-points.ts'

// Asked for beside the figures, not after them: the library takes longer to come than they do.
const chart = import('./trend-chart.tsx')

/** Drawn, or as the figures the drawing is made of. */
export function Trend({
  days,
  before,
}: {
  days: readonly Day[] | undefined
  before: readonly Day[] | undefined
}) {
  const { profile } = usePlace()
  const { compare, change } = useReport()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const TrendChart = useLoaded(chart)?.default
  const points = days && trendPoints(days, before)
  return (
    <Card
      title="Revenue and spend"
      actions={
        <>
          <Check
            label="Compare with the period before"
            checked={compare}
            onChange={(event) => change({ compare: event.target.checked })}
          />
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
            rowKey={(row) => row.label}
          />
        </div>
      ) : (
        <div className="trend-chart">
          {points && TrendChart ? (
            <TrendChart points={points} currency={profile.currency} />
          ) : (
            <Skeleton height={300} />
          )}
        </div>
      )}
    </Card>
  )
}

function columns(currency: string, compared: boolean): Column<Point>[] {
  const amount = (id: 'revenue' | 'spend' | 'revenueBefore', label: string): Column<Point> => ({
    id,
    label,
    number: true,
    cell: (row) => money(row[id], currency),
  })
  return [
    { id: 'label', label: 'When', cell: (row) => row.label },
    amount('revenue', 'Revenue'),
    amount('spend', 'Spend'),
    ...(compared ? [amount('revenueBefore', 'Revenue before')] : []),
  ]
}
