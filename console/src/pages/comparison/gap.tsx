import { count, NONE, percent } from '../../format/numbers.ts'

/** Ours minus theirs. Neither sign is good or bad, so it has no colour. */
export function Gap({ value, share }: { value: number | null; share?: number | null }) {
  if (value === null) return NONE
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return (
    <>
      {sign}
      {count(Math.abs(value))}
      {share === null || share === undefined ? null : (
        <span className="sub">
          {share > 0 ? '+' : share < 0 ? '−' : ''}
          {percent(Math.abs(share))}
        </span>
      )}
    </>
  )
}
