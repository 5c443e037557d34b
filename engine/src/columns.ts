/** Typed arrays that grow; the copy doubles, so adding stays cheap on average. */
type Column = Float64Array | Int32Array | Uint8Array

/** Smaller ones may be on V8's own heap. */
const WORTH_FREEING = 1024

/**
 * The column itself while it has room for `length` values, otherwise a larger copy. The old one is freed at once: V8
 * would free it after its next major collection.
 */
export function grown<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column
  const larger = new (column.constructor as new (length: number) => T)(Math.max(length, column.length * 2))
  larger.set(column)
  if (column.byteLength >= WORTH_FREEING) (column.buffer as ArrayBuffer).transfer(0)
  return larger
}
