/** Which nodes may resolve differently after some links or merges came or went: what an incremental run must redo. */
import {
  defaultIdentitySettings,
  type IdentitySettings,
  type Link,
  linkRoot,
  type Merge,
  type Node,
} from './identity.ts'

/** Links and merges of one state; `merges` are all that stand, they are made by people and few. */
export type IdentityState = {
  linksFrom(node: Node): readonly Link[]
  linksInto(node: Node): readonly Link[]
  merges: readonly Merge[]
}

/**
 * `changed` are the weaker nodes of the links and the `from` nodes of the merges that came or went.
 * A node's change reaches the nodes linked up to it; a merge carries it to the whole customer that was merged.
 */
export function affectedNodes(
  changed: Iterable<Node>,
  states: { before: IdentityState; after: IdentityState },
  settings: IdentitySettings = defaultIdentitySettings,
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
      for (const state of both) waiting.push(linkRoot(from, state.linksFrom, settings))
    }
    spread()
  }
  return affected
}
