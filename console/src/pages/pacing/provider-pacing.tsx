import type { DataOf, getPacing } from '@whence/sdk'
import { useState } from 'react'
import type { Point } from '../../charts/series.ts'
import { axisMoney, count, money, NONE, wholeMoney } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { providerName } from '../../names/providers.ts'
import { DayChart } from '../../report/day-chart.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Stat } from '../../ui/stat.tsx'
import { TargetDialog } from './target-dialog.tsx'

type PacingRow = DataOf<typeof getPacing>[number]

const statuses = {
  under: { tone: 'warn', label: 'Under budget' },
  on: { tone: 'good', label: 'On budget' },
  over: { tone: 'bad', label: 'Over budget' },
  no_budget: { tone: 'plain', label: 'No budget' },
} as const
const sources = {
  target: 'Your target',
  platform: 'Daily budgets of the campaigns that ran on each day',
  none: 'Set a target to pace against',
} as const

const spent = { key: 'spent', label: 'Spent', color: 'var(--chart-1)', kind: 'area' } as const
const expected = {
  key: 'expected',
  label: 'Forecast',
  color: 'var(--chart-1)',
  kind: 'line',
  dashed: true,
} as const
const budget = {
  key: 'budget',
  label: 'Budget',
  color: 'var(--chart-3)',
  kind: 'line',
  dashed: true,
} as const

/** Running totals from the first day: actual spend for past days, expected spend for the rest. */
function pointsOf(row: PacingRow): Point[] {
  let [sumSpent, sumExpected] = [0, 0]
  return row.days.map(({ day, spend, expected: expectedSpend }, index) => {
    const isSettled = day <= row.complete_through
    sumSpent += spend ?? 0
    sumExpected += isSettled ? (spend ?? 0) : (expectedSpend ?? spend ?? 0)
    return {
      label: dayText(day),
      title: dayText(day, true),
      days: { from: day, to: day },
      values: {
        spent: spend === null ? null : sumSpent,
        expected: row.projected_spend === null || (isSettled && row.days[index + 1]) ? null : sumExpected,
        budget: row.budget === null ? null : (row.budget * (index + 1)) / row.days.length,
      },
    }
  })
}

function rangeText(row: PacingRow, amount: (value: number | null) => string): string {
  const { reason, backtest } = row.interval
  if (reason === 'insufficient_history') return 'Needs 14 settled days'
  if (reason === 'backtest_failed')
    return `No range: past ranges were right only ${backtest.held} of ${backtest.tried} times in this account`
  return `${amount(row.low)} to ${amount(row.high)}`
}

export function ProviderPacing({ row }: { row: PacingRow }) {
  const [editing, setEditing] = useState(false)
  const amount = (value: number | null) => (value === null ? NONE : wholeMoney(value, row.currency))
  const { tone, label } = statuses[row.status]
  return (
    <Card
      title={providerName(row.provider)}
      note={`Settled through ${dayText(row.complete_through)}.`}
      actions={
        <>
          <Badge tone={tone}>{label}</Badge>
          <Button small onClick={() => setEditing(true)}>
            Set target
          </Button>
        </>
      }
    >
      <dl className="grid-stats">
        <Stat
          label="Spent so far"
          value={amount(row.spend_mtd)}
          detail={`${count(row.outcomes_mtd)} payments, ${amount(row.revenue_mtd)}`}
        />
        <Stat label="Budget" value={amount(row.budget)} detail={sources[row.budget_source]} />
        <Stat
          label="Month ends at"
          title="About 80 of 100 months end within this range"
          value={amount(row.projected_spend)}
          detail={rangeText(row, amount)}
        />
        <Stat
          label="Pace"
          title="Spend of the settled days ÷ the budget for those days, by weekday"
          value={row.pacing_pct === null ? NONE : `${Math.round(row.pacing_pct)}%`}
          detail={
            row.required_daily === null
              ? null
              : `${money(row.required_daily, row.currency)} a day to end on budget`
          }
        />
      </dl>
      <DayChart
        height={240}
        props={{
          summary: `Spend of ${providerName(row.provider)} added up by day, the forecast to the month’s end and the budget.`,
          points: pointsOf(row),
          series: row.budget === null ? [spent, expected] : [spent, expected, budget],
          format: (value) => wholeMoney(value, row.currency),
          tick: (value) => axisMoney(value, row.currency),
        }}
      />
      {editing ? <TargetDialog row={row} onClose={() => setEditing(false)} /> : null}
    </Card>
  )
}
