/** The nodes whose root may change when links or merges are added or removed: the work of an incremental run. */
import type { Link, Merge, Node } from './identity.ts'

/** Links and merges of one state. `merges` are all active ones; people create them, so there are few. */
export type IdentityState = {
  linksFrom(node: Node): readonly Link[]
  linksInto(node: Node): readonly Link[]
  merges: readonly Merge[]
}

/**
 * `changed`: the weaker nodes of added or removed links, and the `from` nodes of added or removed merges.
 * A change of a node affects all nodes that link up to it. A merge propagates it to the whole merged customer. That
 * customer may itself have changed, so all nodes that the merged node links up to in either state are included. States
 * may contain links of each other: the result is then larger than needed, never smaller.
 */
export function affectedNodes(
  changed: Iterable<Node>,
  states: { before: IdentityState; after: IdentityState },
): Set<Node> {
  const bothStates = [states.before, states.after]
  const merges = bothStates.flatMap((state) => state.merges)
  const affected = new Set<Node>()
  const waiting = [...changed]
  const spread = () => {
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (affected.has(node)) continue
      affected.add(node)
      for (const state of bothStates) for (const { weaker } of state.linksInto(node)) waiting.push(weaker)
    }
  }
  for (let size = -1; size !== affected.size; ) {
    size = affected.size
    spread()
    for (const { from, into } of merges) {
      if (!affected.has(from) && !affected.has(into)) continue
      waiting.push(...linkedUp(from, bothStates))
    }
    spread()
  }
  return affected
}

/** The node and all nodes above it, transitively over the links of all states. */
function linkedUp(node: Node, states: readonly IdentityState[]): Set<Node> {
  const nodes = new Set([node])
  for (const at of nodes)
    for (const state of states) for (const { stronger } of state.linksFrom(at)) nodes.add(stronger)
  return nodes
}
