/** Figures that must not change by an erasure, a merge and its undo, a recompute or a rule that is added and removed. */
import type { Figures } from './read.ts'

/** Everything except freshness. */
export function allOf({ models, metas, payments, customers, people }: Figures): unknown {
  return {
    models,
    payments,
    customers,
    people,
    metas: metas
      .map(({ where, model, level, meta: { freshness: _, ...meta } }) => [`${where} ${model} ${level}`, meta])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  }
}

/** Without personal data: an erasure removes the person and the source of a visit, but no money. */
export function withoutPeople({ models, people, payments }: Figures): unknown {
  return {
    models: Object.fromEntries(
      Object.entries(models).map(([model, under]) => [
        model,
        {
          ...under,
          linkage: under.linkage.map(({ customer_id: _, matched_by: __, ...row }) => row),
          channels: {
            total: under.channels.total,
            rows: under.channels.rows.map(({ sources: _, ...row }) => row),
          },
        },
      ]),
    ),
    people,
    payments: payments.map(({ customer_id: _, payer: __, ...payment }) => payment),
  }
}
