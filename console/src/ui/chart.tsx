import type { TimeChartProps } from '../charts/time-chart.tsx'
import { useLoaded } from '../charts/use-loaded.ts'
import { Failure } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

// Loaded when the first page with a chart is opened, in parallel with its figures but after its first
// paint, because evaluating the library blocks painting for a tenth of a second.
let chartModule: Promise<typeof import('../charts/time-chart.tsx')> | undefined
const chart = () => {
  chartModule ??= afterPaint().then(() => import('../charts/time-chart.tsx'))
  chartModule.catch(() => {
    chartModule = undefined
  })
  return chartModule
}

/** Resolves after the next frame, or after 250 ms because a page in the background gets no frames. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })
}

/** A chart of a fixed height; `props` is undefined while its figures load. */
export function Chart({ height = 300, props }: { height?: number; props: TimeChartProps | undefined }) {
  const loaded = useLoaded(chart)
  return (
    <div style={{ height }}>
      {'error' in loaded ? (
        <Failure error={loaded.error} />
      ) : props && loaded.value ? (
        <loaded.value.default {...props} />
      ) : (
        <Skeleton height={height} />
      )}
    </div>
  )
}
