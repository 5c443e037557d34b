import type { z } from 'zod'

/** Enums are stored as text in the database. */
type Stored<T> = T extends string ? string : T extends readonly (infer E)[] ? readonly Stored<E>[] : T

/** Picks the reply's fields from the row; `extraFields` supplies those that the row lacks or names differently. */
export function toReply<S extends z.ZodObject, M extends Partial<z.input<S>>>(
  reply: S,
  row: { readonly [K in Exclude<keyof z.input<S>, keyof M>]: Stored<z.input<S>[K]> },
  extraFields: M,
): z.input<S> {
  const fields: Record<string, unknown> = { ...row, ...extraFields }
  return Object.fromEntries(Object.keys(reply.shape).map((name) => [name, fields[name]])) as z.input<S>
}
