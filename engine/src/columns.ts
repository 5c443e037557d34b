/** Growable typed arrays. The size doubles, so adding has constant amortized cost. */
type Column = Float64Array | Int32Array | Uint8Array

/** Smaller arrays may be on V8's own heap and are not freed. */
const MIN_FREED_BYTES = 1024

/**
 * Returns the column if it has capacity for `length` values, otherwise a larger copy. The old buffer is freed immediately
 * by detaching it; V8 would free it only after its next major garbage collection.
 */
export function grown<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column
  const larger = new (column.constructor as new (length: number) => T)(Math.max(length, column.length * 2))
  larger.set(column)
  if (column.byteLength >= MIN_FREED_BYTES) (column.buffer as ArrayBuffer).transfer(0)
  return larger
}
