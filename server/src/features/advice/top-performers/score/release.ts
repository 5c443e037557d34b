/**
 * Frees a column's memory immediately. Typed arrays are outside the heap, which hardly grows during a scoring, so the
 * garbage collector runs late: columns of 20,000 ads kept 50 MB too long. A released column is empty.
 */
export function release(column: { readonly buffer: ArrayBufferLike }): void {
  if (column.buffer instanceof ArrayBuffer) column.buffer.transfer(0)
}
