import type { TimeChartProps } from '../charts/time-chart.tsx'
import { Chart } from '../ui/chart.tsx'
import { toMarks } from './note-marks.ts'
import { useNotes } from './notes.tsx'

/** A chart over days, weeks or months with the notes of these days. */
export function DayChart({
  height,
  props,
}: {
  height?: number
  props: Omit<TimeChartProps, 'marks'> | undefined
}) {
  const days = props?.points.flatMap((point) => point.days ?? []) ?? []
  const range = days.length > 0 ? { from: days[0]!.from, to: days.at(-1)!.to } : undefined
  const notes = useNotes(range).data?.data ?? []
  return (
    <Chart
      {...(height === undefined ? {} : { height })}
      props={props && { ...props, marks: toMarks(notes, props.points) }}
    />
  )
}
