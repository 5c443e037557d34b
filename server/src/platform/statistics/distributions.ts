/** Probability distributions by series and bisection: no dependency, the same digits on every machine. */

/** Lanczos' approximation, good to 1e-13 for positive arguments. */
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  let sum = 0.9999999999998099
  lanczos.forEach((term, index) => {
    sum += term / (x + index)
  })
  const t = x + lanczos.length - 1.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

/** P(X ≤ x) of a Gamma variable with this shape and rate 1. */
export function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0
  // For large shapes the series would overflow; the cube root of a Gamma variable is nearly normal (Wilson and
  // Hilferty).
  if (shape > 1e5) return normalCdf(((x / shape) ** (1 / 3) - (1 - 1 / (9 * shape))) * Math.sqrt(9 * shape))
  const front = Math.exp(-x + shape * Math.log(x) - logGamma(shape))
  if (x < shape + 1) {
    let term = 1 / shape
    let sum = term
    for (let n = 1; n < 10_000 && term > sum * 1e-15; n++) {
      term *= x / (shape + n)
      sum += term
    }
    return Math.min(1, front * sum)
  }
  let b = x + 1 - shape
  let c = 1e300
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < 10_000; n++) {
    const a = -n * (n - shape)
    b += 2
    d = 1 / (a * d + b || 1e-300)
    c = b + a / c || 1e-300
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return Math.max(0, 1 - front * fraction)
}

export const gammaQuantile = (shape: number, probability: number): number =>
  invert((x) => gammaCdf(shape, x), probability, shape + 1)

export const chiSquareSurvival = (x: number, degrees: number): number => 1 - gammaCdf(degrees / 2, x / 2)

export const normalCdf = (z: number): number =>
  z < 0 ? (1 - gammaCdf(0.5, (z * z) / 2)) / 2 : (1 + gammaCdf(0.5, (z * z) / 2)) / 2

export function normalQuantile(probability: number): number {
  if (probability < 0.5) return -normalQuantile(1 - probability)
  return invert((z) => normalCdf(z), probability, 2)
}

/** P(|T| ≤ t) of Student's T; degrees of freedom need not be whole. */
function studentWithin(t: number, degrees: number): number {
  return 1 - incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t))
}

/** The t such that Student's T is between −t and t with this probability. */
export const studentTwoSided = (share: number, degrees: number): number =>
  invert((t) => studentWithin(t, degrees), share, 4)

/** P(F > f) of Fisher's F. */
export const fisherSurvival = (f: number, above: number, below: number): number =>
  incompleteBeta(below / 2, above / 2, below / (below + above * f))

/** Continued fraction. */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m < 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-14) break
  }
  return (front * fraction) / a
}

/** The x ≥ 0 at which a growing function reaches `target`. */
function invert(cdf: (x: number) => number, target: number, start: number): number {
  let [low, high] = [0, start]
  while (cdf(high) < target && high < 1e12) [low, high] = [high, high * 2]
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2
    if (cdf(middle) < target) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Bounds a displayed probability, because no evidence is certain: never 0 or 1. */
export const boundedProbability = (probability: number): number => Math.min(0.99, Math.max(0.01, probability))

/** A displayed p-value with four digits, never 0 or 1; small ones are not raised to 0.01. */
export const boundedPValue = (p: number): number => Number(Math.min(0.999, Math.max(0.0001, p)).toFixed(4))
