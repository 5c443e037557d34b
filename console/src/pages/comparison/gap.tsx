import { changeText, count, NONE, SIGNED } from '../../format/numbers.ts'

/** Our count minus the platform's. Neither sign is good or bad, so it has no colour. */
export function Gap({ value, share }: { value: number | null; share?: number | null }) {
  if (value === null) return NONE
  return (
    <>
      {count(value, SIGNED)}
      {share === null || share === undefined ? null : <span className="sub">{changeText(share)}</span>}
    </>
  )
}
