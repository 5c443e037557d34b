/**
 * Logistic regression with a ridge penalty by Newton's method, deterministic for the same rows. Features are
 * standardized first; the intercept is not penalised.
 */

export type Logistic = { means: number[]; deviations: number[]; intercept: number; weights: number[] }

const MAX_STEPS = 30
const ENOUGH = 1e-9

export const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

export const fitLogistic = (
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  penalty: number,
): Logistic => fitEach(rows, labels, [penalty])[0]!

/** One model per penalty; the rows are standardized once. */
export function fitEach(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  penalties: readonly number[],
): Logistic[] {
  const width = rows[0]?.length ?? 0
  const scale = scaleOf(rows, width)
  const scaled = scaledRows(rows, scale, width)
  return penalties.map((penalty) => ({ ...scale, ...newton(scaled, labels, width, penalty) }))
}

function newton(
  scaled: Float64Array,
  labels: readonly number[],
  width: number,
  penalty: number,
): Pick<Logistic, 'intercept' | 'weights'> {
  const weights = new Array<number>(width + 1).fill(0)
  for (let step = 0; step < MAX_STEPS; step++) {
    const move = newtonStep(scaled, labels, weights, penalty)
    let largest = 0
    move.forEach((change, index) => {
      weights[index]! += change
      largest = Math.max(largest, Math.abs(change))
    })
    if (largest < ENOUGH) break
  }
  return { intercept: weights[0]!, weights: weights.slice(1) }
}

export function predict(model: Logistic, row: readonly number[]): number {
  const features = standard(row, model)
  return sigmoid(features.reduce((sum, value, index) => sum + value * model.weights[index]!, model.intercept))
}

type Scale = Pick<Logistic, 'means' | 'deviations'>

function scaleOf(rows: readonly (readonly number[])[], width: number): Scale {
  const count = Math.max(1, rows.length)
  const [sums, squares] = [new Float64Array(width), new Float64Array(width)]
  for (const row of rows) for (let column = 0; column < width; column++) sums[column]! += row[column]!
  const means = Array.from(sums, (sum) => sum / count)
  for (const row of rows)
    for (let column = 0; column < width; column++) squares[column]! += (row[column]! - means[column]!) ** 2
  const deviations = Array.from(squares, (sum) => {
    const spread = Math.sqrt(sum / count)
    // Avoids dividing a constant feature by a deviation near 0.
    return spread > 1e-12 ? spread : 1
  })
  return { means, deviations }
}

const standard = (row: readonly number[], { means, deviations }: Scale): number[] =>
  row.map((value, column) => (value - means[column]!) / deviations[column]!)

/** Row-major matrix of standardized rows, each with a leading 1 for the intercept. */
function scaledRows(rows: readonly (readonly number[])[], scale: Scale, width: number): Float64Array {
  const size = width + 1
  const scaled = new Float64Array(rows.length * size)
  rows.forEach((row, index) => {
    scaled[index * size] = 1
    for (let column = 0; column < width; column++)
      scaled[index * size + column + 1] = (row[column]! - scale.means[column]!) / scale.deviations[column]!
  })
  return scaled
}

function newtonStep(
  rows: Float64Array,
  labels: readonly number[],
  weights: readonly number[],
  penalty: number,
): number[] {
  const size = weights.length
  const gradient = Float64Array.from(weights, (weight, index) => (index === 0 ? 0 : -penalty * weight))
  const curves = new Float64Array(size * size)
  for (let a = 1; a < size; a++) curves[a * size + a] = penalty
  for (let index = 0; index < labels.length; index++) {
    const at = index * size
    let sum = 0
    for (let a = 0; a < size; a++) sum += rows[at + a]! * weights[a]!
    const chance = sigmoid(sum)
    const curve = Math.max(1e-9, chance * (1 - chance))
    const missed = labels[index]! - chance
    for (let a = 0; a < size; a++) {
      const value = rows[at + a]!
      gradient[a]! += missed * value
      const curved = curve * value
      for (let b = 0; b <= a; b++) curves[a * size + b]! += curved * rows[at + b]!
    }
  }
  const hessian = weights.map((_, a) =>
    weights.map((__, b) => curves[Math.max(a, b) * size + Math.min(a, b)]!),
  )
  return solve(hessian, gradient)
}

/** Cholesky decomposition; the penalty and the intercept's curvature keep the matrix positive definite. */
function solve(matrix: number[][], right: Float64Array): number[] {
  const size = right.length
  const lower = matrix.map((row) => row.map(() => 0))
  for (let a = 0; a < size; a++)
    for (let b = 0; b <= a; b++) {
      let sum = matrix[a]![b]!
      for (let k = 0; k < b; k++) sum -= lower[a]![k]! * lower[b]![k]!
      lower[a]![b] = a === b ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[b]![b]!
    }
  const forward: number[] = []
  for (let a = 0; a < size; a++) {
    let sum = right[a]!
    for (let k = 0; k < a; k++) sum -= lower[a]![k]! * forward[k]!
    forward.push(sum / lower[a]![a]!)
  }
  const result = new Array<number>(size).fill(0)
  for (let a = size - 1; a >= 0; a--) {
    let sum = forward[a]!
    for (let k = a + 1; k < size; k++) sum -= lower[k]![a]! * result[k]!
    result[a] = sum / lower[a]![a]!
  }
  return result
}
