const STEPS = [1, 2, 2.5, 5, 10]

/** Round, evenly spaced values from at most the lowest (or 0) to at least the highest. */
export function evenTicks(lowest: number, highest: number, most = 5, whole = false): number[] {
  const low = Math.min(0, lowest)
  const high = Math.max(0, highest) || (low === 0 ? 1 : 0)
  const rough = (high - low) / (most - 1)
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = STEPS.map((factor) => factor * size).find((candidate) => candidate >= rough * (1 - 1e-9))!
  const stride = whole ? Math.max(1, Math.ceil(step)) : step
  const [first, last] = [Math.floor(low / stride + 1e-9), Math.ceil(high / stride - 1e-9)]
  return Array.from({ length: Math.max(last, first + 1) - first + 1 }, (_, index) =>
    Number(((first + index) * stride).toPrecision(12)),
  )
}
