/** Chooses the recommendation that the demo's owner is shown to have applied. */
type Advice = { kind: string; expected_effect: unknown }

/**
 * A recommendation whose kind has several, so that each kind still has an open one. With `isLate`, also the only one of
 * its kind if it changes budgets: such recommendations recur, while a paused campaign gets no new one.
 */
export function chooseAdvice<A extends Advice>(open: readonly A[], isLate: boolean): A | undefined {
  const withEffect = open.filter((row) => row.expected_effect !== null)
  const byKind = Map.groupBy(withEffect, ({ kind }) => kind)
  const several = [...byKind.values()].filter(({ length }) => length > 1).flat()
  const budgets = withEffect.filter(({ kind }) => kind !== 'pause_underperformer')
  return several[0] ?? (isLate ? budgets[0] : undefined)
}
