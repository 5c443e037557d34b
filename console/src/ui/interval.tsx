/** An interval as a bar around 1, on a logarithmic scale from one half to two. */
export function Interval({ low, high, middle }: { low: number; high: number; middle: number }) {
  const at = (value: number) => `${Math.min(100, Math.max(0, 50 + 50 * Math.log2(value)))}%`
  return (
    <span className="interval" aria-hidden="true">
      <span className="interval-bar" style={{ left: at(low), right: `calc(100% - ${at(high)})` }} />
      <span className="interval-middle" style={{ left: at(middle) }} />
    </span>
  )
}
