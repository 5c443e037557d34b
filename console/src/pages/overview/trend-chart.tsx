import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { acrossAxis, chartMargin, upAxis } from '../../charts/axes.ts'
import { ChartTooltip } from '../../charts/chart-tooltip.tsx'
import { Legend } from '../../charts/legend.tsx'
import { money } from '../../format/numbers.ts'
import type { Point } from './trend-points.ts'

const series = [
  { key: 'revenue', label: 'Revenue', color: 'var(--chart-1)', dashed: false },
  { key: 'spend', label: 'Spend', color: 'var(--chart-4)', dashed: false },
  { key: 'revenueBefore', label: 'Revenue before', color: 'var(--chart-1)', dashed: true },
] as const

/** Both periods lie over each other. */
export default function TrendChart({ points, currency }: { points: readonly Point[]; currency: string }) {
  const compared = points.some(({ revenueBefore }) => revenueBefore !== undefined)
  const shown = series.filter(({ key }) => key !== 'revenueBefore' || compared)
  const total = (key: 'revenue' | 'spend') => points.reduce((sum, point) => sum + point[key], 0)
  return (
    <figure className="chart">
      <figcaption className="sr-only">
        {`From ${points[0]!.label} to ${points.at(-1)!.label}: revenue ${money(total('revenue'), currency)} and spend ${money(total('spend'), currency)} in all. The table has every figure.`}
      </figcaption>
      <Legend items={shown} />
      <div className="chart-canvas">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={[...points]} margin={chartMargin} accessibilityLayer>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="label"
              tickFormatter={(label: string) => label.split(' – ')[0]!}
              {...acrossAxis}
            />
            <YAxis width={56} tickFormatter={(value: number) => money(value, currency, true)} {...upAxis} />
            <Tooltip
              cursor={{ stroke: 'var(--line-strong)' }}
              content={<ChartTooltip format={(value) => money(value, currency)} />}
            />
            {compared ? (
              <Line
                dataKey="revenueBefore"
                name="Revenue before"
                stroke="var(--chart-1)"
                strokeOpacity={0.55}
                strokeDasharray="3 4"
                strokeWidth={1.5}
                dot={false}
                isAnimationActive={false}
              />
            ) : null}
            <Area
              dataKey="revenue"
              name="Revenue"
              stroke="var(--chart-1)"
              strokeWidth={2}
              fill="var(--chart-1)"
              fillOpacity={0.1}
              isAnimationActive={false}
            />
            <Line
              dataKey="spend"
              name="Spend"
              stroke="var(--chart-4)"
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}
