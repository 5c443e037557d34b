/** Which nodes may resolve differently after some links or merges came or went: what an incremental run must redo. */
import type { Link, Merge, Node } from './identity.ts'

/** Links and merges of one state; `merges` are all that stand, they are made by people and few. */
export type IdentityState = {
  linksFrom(node: Node): readonly Link[]
  linksInto(node: Node): readonly Link[]
  merges: readonly Merge[]
}

/**
 * `changed` are the weaker nodes of the links and the `from` nodes of the merges that came or went.
 * A node's change reaches the nodes linked up to it; a merge carries it to the whole customer that was merged. Which
 * customer that was may have changed too, so every node that the merged one was ever linked up to counts. A state may
 * therefore hold links of the other one: more than needed is redone, never less.
 */
export function affectedNodes(
  changed: Iterable<Node>,
  states: { before: IdentityState; after: IdentityState },
): Set<Node> {
  const both = [states.before, states.after]
  const merges = both.flatMap((state) => state.merges)
  const affected = new Set<Node>()
  const waiting = [...changed]
  const spread = () => {
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (affected.has(node)) continue
      affected.add(node)
      for (const state of both) for (const { weaker } of state.linksInto(node)) waiting.push(weaker)
    }
  }
  for (let size = -1; size !== affected.size; ) {
    size = affected.size
    spread()
    for (const { from, into } of merges) {
      if (!affected.has(from) && !affected.has(into)) continue
      waiting.push(...linkedUp(from, both))
    }
    spread()
  }
  return affected
}

/** The node and all that links lead up to, by whatever state and however often. */
function linkedUp(node: Node, states: readonly IdentityState[]): Set<Node> {
  const found = new Set([node])
  for (const at of found)
    for (const state of states) for (const { stronger } of state.linksFrom(at)) found.add(stronger)
  return found
}
