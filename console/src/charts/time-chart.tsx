import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { chartMargin, xAxisStyle, yAxisStyle } from './axes.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { Legend } from './legend.tsx'
import type { Mark, Point, Series } from './series.ts'
import { evenTicks } from './ticks.ts'

export type TimeChartProps = {
  /** Text alternative for screen readers. */
  summary: string
  points: readonly Point[]
  series: readonly Series[]
  format: (value: number) => string
  /** Short format for the axis. */
  tick?: (value: number) => string
  whole?: boolean
  marks?: readonly Mark[] | undefined
}

/** Chart of lines, areas and bars over days, weeks or months. */
export default function TimeChart({ summary, points, series, format, tick, whole, marks }: TimeChartProps) {
  const allValues = points.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0))
  const ticks = evenTicks(Math.min(0, ...allValues), Math.max(0, ...allValues), 5, whole)
  return (
    <figure className="chart">
      <figcaption className="sr-only">
        {summary}
        {marks && marks.length > 0
          ? ` Notes: ${marks.map(({ label, text }) => `${label}, ${text}`).join('; ')}.`
          : null}
      </figcaption>
      {series.length > 1 ? <Legend items={series} /> : <span />}
      <div className="chart-canvas">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={[...points]} margin={chartMargin} accessibilityLayer>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="label" {...xAxisStyle} />
            <YAxis
              width={60}
              ticks={ticks}
              domain={[ticks[0]!, ticks.at(-1)!]}
              tickFormatter={tick ?? format}
              {...yAxisStyle}
            />
            <Tooltip
              cursor={{ stroke: 'var(--line-strong)', fill: 'var(--surface-2)' }}
              content={({ active, payload }) => {
                const point = payload?.[0]?.payload as Point | undefined
                if (!active || !point) return null
                const note = marks?.find(({ label }) => label === point.label)?.text
                return <ChartTooltip point={point} series={series} format={format} note={note} />
              }}
            />
            {marks?.map(({ label, text }) => (
              <ReferenceLine
                key={`${label} ${text}`}
                x={label}
                stroke="var(--chart-5)"
                strokeDasharray="2 3"
              />
            ))}
            {series.map((one) => renderSeries(one))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}

function renderSeries({ key, label, color, kind, dashed }: Series) {
  const shared = {
    dataKey: (point: Point) => point.values[key] ?? null,
    name: label,
    isAnimationActive: false,
  }
  const stroke = { stroke: color, strokeWidth: dashed ? 1.5 : 2, strokeOpacity: dashed ? 0.55 : 1 }
  const dash = dashed ? { strokeDasharray: '3 4' } : {}
  switch (kind) {
    case 'bar':
      return <Bar key={key} {...shared} fill={color} maxBarSize={36} />
    case 'area':
      return <Area key={key} {...shared} {...stroke} {...dash} fill={color} fillOpacity={0.1} />
    case 'line':
      return <Line key={key} {...shared} {...stroke} {...dash} dot={false} />
  }
}
