/** The customer of an identifier, computed from all links and merges. */

/** Rank of strength, then key, so that text order is by strength. */
export type Node = string

export type Link = { weak: Node; strong: Node; at: number }
export type Merge = { from: Node; into: Node; at: number }

/** An identifier that is linked to more stronger ones than this links no one. */
const MAX_LINKED = 10

/** Follows links to the stronger identifier that was linked first. */
export function strongestLinked(node: Node, links: readonly Link[]): Node {
  const stronger = new Set<Node>()
  let best: Link | null = null
  for (const link of links) {
    if (link.weak !== node) continue
    stronger.add(link.strong)
    if (best === null || link.at < best.at || (link.at === best.at && link.strong < best.strong)) best = link
  }
  if (best === null || stronger.size > MAX_LINKED) return node
  return strongestLinked(best.strong, links)
}

export function customerOf(node: Node, links: readonly Link[], merges: readonly Merge[]): Node {
  const visited: Node[] = []
  let root = strongestLinked(node, links)
  for (;;) {
    if (visited.includes(root)) return visited.slice(visited.indexOf(root)).sort()[0]!
    visited.push(root)
    let first: Merge | null = null
    for (const merge of merges) {
      if (strongestLinked(merge.from, links) !== root) continue
      if (first === null || isBefore(merge, first)) first = merge
    }
    if (first === null) return root
    root = strongestLinked(first.into, links)
  }
}

function isBefore(a: Merge, b: Merge): boolean {
  if (a.at !== b.at) return a.at < b.at
  if (a.into !== b.into) return a.into < b.into
  return a.from < b.from
}
