/** Looks up an untrusted key in a table. Own properties only: every object inherits `constructor` and the like. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string | null | undefined): T | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
}
