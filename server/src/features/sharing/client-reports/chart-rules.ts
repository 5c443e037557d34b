/** Computes the coordinates of the daily chart, shared by HTML and PDF. Pure. */
import type { ReportFacts } from './facts.ts'

export type Box = { x: number; y: number; width: number; height: number }
export type Point = readonly [x: number, y: number]
export type Chart = {
  ticks: { value: number; y: number }[]
  labels: { date: string; x: number }[]
  revenue: Point[]
  spend: Point[]
}

const TICKS = 4
const MAX_LABELS = 7

export function layoutChart(days: ReportFacts['days'], box: Box): Chart {
  const values = days.flatMap(({ revenue, spend }) => [revenue ?? 0, spend ?? 0])
  const step = niceStep(Math.max(1, ...values) / TICKS)
  const top = step * TICKS
  // Days on which refunds exceed payments are below the axis.
  const bottom = Math.min(0, Math.floor(Math.min(0, ...values) / step) * step)
  const xAt = (index: number) =>
    round(box.x + (days.length === 1 ? box.width / 2 : (index * box.width) / (days.length - 1)))
  const yAt = (value: number) => round(box.y + box.height - ((value - bottom) / (top - bottom)) * box.height)
  const ticks: Chart['ticks'] = []
  // Without any money there is no scale, only the line at zero.
  const highest = values.every((value) => value === 0) ? 0 : top
  for (let value = bottom; value <= highest; value += step) ticks.push({ value, y: yAt(value) })
  const every = Math.max(1, Math.ceil(days.length / MAX_LABELS))
  return {
    ticks,
    labels: days.flatMap(({ date }, index) => (index % every === 0 ? [{ date, x: xAt(index) }] : [])),
    revenue: days.map(({ revenue }, index) => [xAt(index), yAt(revenue ?? 0)]),
    spend: days.map(({ spend }, index) => [xAt(index), yAt(spend ?? 0)]),
  }
}

/** The smallest 1, 2 or 5 times a power of ten that is at least `minimum`. */
function niceStep(minimum: number): number {
  const power = 10 ** Math.floor(Math.log10(minimum))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= minimum) ?? 10
  return Math.max(1, factor * power)
}

const round = (value: number) => Math.round(value * 100) / 100
