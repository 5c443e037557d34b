/** Loading placeholder. Fixed widths avoid layout shifts. */
export function Skeleton({ width = '100%', height = 14 }: { width?: number | string; height?: number }) {
  return <span className="skeleton" style={{ width, height }} />
}

const widths = ['62%', '48%', '70%', '55%', '66%', '44%']

export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div className="stack" role="status" aria-label="Loading" style={{ padding: '8px 20px 20px', gap: 22 }}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical rows that never move
        <Skeleton key={row} width={widths[row % widths.length]!} />
      ))}
    </div>
  )
}
