import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { ChartTooltip } from './chart-tooltip.tsx'
import {
  areaPath,
  barColumns,
  labelledPoints,
  linePath,
  lineSegments,
  nearestPoint,
  pointPositions,
  valueScale,
} from './geometry.ts'
import { Legend } from './legend.tsx'
import type { Mark, Point, Series } from './series.ts'
import { evenTicks } from './ticks.ts'
import { useSize } from './use-size.ts'

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

/** Half of a long label. */
const EDGE = 24
const margin = { top: 8, right: 4, bottom: 28, left: 60 }

/** Chart of lines, areas and bars over days, weeks or months. */
export function TimeChart(props: TimeChartProps) {
  const { summary, points, series, format, marks } = props
  const canvas = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(canvas)
  const [selected, setSelected] = useState<number>()
  const plot = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const hasBars = series.some(({ kind }) => kind === 'bar')
  const positions = pointPositions(points.length, plot.width, hasBars)
  const point = selected === undefined ? undefined : points[selected]

  function selectNearest(event: PointerEvent<SVGSVGElement>) {
    const left = event.currentTarget.getBoundingClientRect().left
    setSelected(nearestPoint(positions, event.clientX - left - margin.left))
  }
  function selectByKey(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Escape') setSelected(undefined)
    if (step === undefined) return
    event.preventDefault()
    setSelected((at) => Math.min(points.length - 1, Math.max(0, at === undefined ? 0 : at + step)))
  }

  return (
    <figure className="chart">
      <figcaption className="sr-only">
        {summary}
        {marks && marks.length > 0
          ? ` Notes: ${marks.map(({ label, text }) => `${label}, ${text}`).join('; ')}.`
          : null}
      </figcaption>
      {series.length > 1 ? <Legend items={series} /> : <span />}
      <div className="chart-canvas" ref={canvas}>
        {plot.width > 0 && plot.height > 0 ? (
          <svg
            className="chart-surface"
            width={width}
            height={height}
            role="application"
            aria-label="Chart: the arrow keys read its values"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the points are read with the arrow keys
            tabIndex={0}
            onPointerMove={selectNearest}
            onPointerLeave={() => setSelected(undefined)}
            onBlur={() => setSelected(undefined)}
            onKeyDown={selectByKey}
          >
            <g transform={`translate(${margin.left},${margin.top})`}>
              <Drawing {...props} plot={plot} positions={positions} selected={selected} />
            </g>
          </svg>
        ) : null}
        <div aria-live="polite">
          {point ? (
            <div className="chart-hint" style={hintPosition(margin.left + positions[selected!]!, width)}>
              <ChartTooltip
                point={point}
                series={series}
                format={format}
                note={marks?.find(({ label }) => label === point.label)?.text}
              />
            </div>
          ) : null}
        </div>
      </div>
    </figure>
  )
}

/** On the side of the point that has more space. */
function hintPosition(x: number, width: number) {
  return x < width / 2 ? { left: x + 12 } : { right: width - x + 12 }
}

function Drawing({
  points,
  series,
  format,
  tick,
  whole,
  marks,
  plot,
  positions,
  selected,
}: TimeChartProps & {
  plot: { width: number; height: number }
  positions: readonly number[]
  selected: number | undefined
}) {
  const allValues = points.flatMap(({ values }) => series.map(({ key }) => values[key] ?? 0))
  const ticks = evenTicks(Math.min(0, ...allValues), Math.max(0, ...allValues), 5, whole)
  const yOf = valueScale(ticks, plot.height)
  const labels = points.map(({ label }) => label)
  const bars = series.filter(({ kind }) => kind === 'bar')
  const columns = barColumns(bars.length, points.length, plot.width)
  return (
    <>
      {ticks.map((value) => (
        <g key={value} transform={`translate(0,${yOf(value)})`}>
          <line x2={plot.width} className="chart-grid" />
          <text x={-8} dy="0.32em" textAnchor="end">
            {(tick ?? format)(value)}
          </text>
        </g>
      ))}
      {labelledPoints(labels, plot.width).map((index) => (
        <text
          key={labels[index]}
          x={positions[index]}
          y={plot.height + 20}
          textAnchor={labelAnchor(positions[index]!, plot.width)}
        >
          {labels[index]}
        </text>
      ))}
      {selected === undefined ? null : (
        <line className="chart-cursor" x1={positions[selected]} x2={positions[selected]} y2={plot.height} />
      )}
      {marks?.map(({ label, text }) => {
        const x = positions[labels.indexOf(label)]
        return x === undefined ? null : (
          <line key={`${label} ${text}`} className="chart-mark" x1={x} x2={x} y2={plot.height} />
        )
      })}
      {series.map((one) => {
        const values = points.map((point) => point.values[one.key])
        if (one.kind !== 'bar')
          return (
            <LineOrArea
              key={one.key}
              series={one}
              segments={lineSegments(positions, values, yOf)}
              zero={yOf(0)}
            />
          )
        const { offset, width } = columns[bars.indexOf(one)]!
        return values.map((value, index) =>
          value === null || value === undefined ? null : (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              key={`${one.key} ${index}`}
              x={positions[index]! + offset}
              y={Math.min(yOf(value), yOf(0))}
              width={width}
              height={Math.abs(yOf(value) - yOf(0))}
              fill={one.color}
            />
          ),
        )
      })}
    </>
  )
}

/** Labels at an edge stay inside the chart. */
function labelAnchor(x: number, width: number) {
  if (x < EDGE) return 'start'
  return width - x < EDGE ? 'end' : 'middle'
}

function LineOrArea({
  series: { color, kind, dashed },
  segments,
  zero,
}: {
  series: Series
  segments: ReturnType<typeof lineSegments>
  zero: number
}) {
  return (
    <g stroke={color} strokeWidth={dashed ? 1.5 : 2} strokeOpacity={dashed ? 0.55 : 1} strokeLinejoin="round">
      {segments.map((segment) => (
        <g key={segment[0]!.x}>
          {kind === 'area' ? (
            <path d={areaPath(segment, zero)} fill={color} fillOpacity={0.1} stroke="none" />
          ) : null}
          <path d={linePath(segment)} fill="none" strokeDasharray={dashed ? '3 4' : undefined} />
          {/* A value between two missing ones has no line. */}
          {segment.length === 1 ? <circle cx={segment[0]!.x} cy={segment[0]!.y} r={2} fill={color} /> : null}
        </g>
      ))}
    </g>
  )
}
