/** Which advice the owner of a demo followed. */
type Advice = { kind: string; expected_effect: unknown }

/**
 * One of several of its kind, so that each kind still has advice to follow. With `isLate` also the only one of its kind
 * where it changes budgets, which is advised again later; a campaign that was paused is not.
 */
export function chooseAdvice<A extends Advice>(open: readonly A[], isLate: boolean): A | undefined {
  const able = open.filter((row) => row.expected_effect !== null)
  const byKind = Map.groupBy(able, ({ kind }) => kind)
  const several = [...byKind.values()].filter(({ length }) => length > 1).flat()
  const budgets = able.filter(({ kind }) => kind !== 'pause_underperformer')
  return several[0] ?? (isLate ? budgets[0] : undefined)
}
