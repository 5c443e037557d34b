/** Typed arrays that grow; the copy doubles, so adding stays cheap on average. */
type Column = Float64Array | Int32Array | Uint8Array

/** The column itself while it has room for `length` values, otherwise a larger copy. */
export function grown<T extends Column>(column: T, length: number): T {
  if (length <= column.length) return column
  const larger = new (column.constructor as new (length: number) => T)(Math.max(length, column.length * 2))
  larger.set(column)
  return larger
}
