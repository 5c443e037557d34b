import { TimeChart, type TimeChartProps } from '../charts/time-chart.tsx'
import { Skeleton } from './skeleton.tsx'

/** A chart of a fixed height; `props` is undefined while its figures load. */
export function Chart({ height = 300, props }: { height?: number; props: TimeChartProps | undefined }) {
  return <div style={{ height }}>{props ? <TimeChart {...props} /> : <Skeleton height={height} />}</div>
}
