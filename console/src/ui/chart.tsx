import type { TimeChartProps } from '../charts/time-chart.tsx'
import { useLoaded } from '../charts/use-loaded.ts'
import { Failure } from './failure.tsx'
import { Skeleton } from './skeleton.tsx'

// Requested when the first page with a chart is opened, in parallel with its figures and not after them; but once its first
// paint is done, because to run the library takes a tenth of a second in which nothing is painted.
let coming: Promise<typeof import('../charts/time-chart.tsx')> | undefined
const chart = () => {
  coming ??= painted().then(() => import('../charts/time-chart.tsx'))
  coming.catch(() => {
    coming = undefined
  })
  return coming
}

/** After the next frame; a page in the background has none, and soon goes on without. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 250)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })
}

/** A chart of a fixed height; `props` undefined while its figures are on their way. */
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
