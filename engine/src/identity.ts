/**
 * Identity resolution: a pure function of the set of links and merges, independent of their order.
 *
 * A node is an identifier. An event links each of its weaker identifiers to its strongest one. A node resolves to the
 * strictly stronger node that it was first seen with, so chains have at most six steps and no cycles. The end of the chain
 * is the link root. Links that rest only on a link token (mails get forwarded) are used only if the node has no other
 * link. A node linked to implausibly many stronger ones (a shared phone, a kiosk) resolves to itself. Merges by people
 * then lead from one link root to another.
 */
export const identifierKinds = [
  'external_id',
  'crm_contact_id',
  'national_id',
  'email',
  'phone',
  'provider_customer_id',
  'anonymous_id',
] as const
export type IdentifierKind = (typeof identifierKinds)[number]
export type Identifier = { kind: IdentifierKind; key: string }

/** `<rank of the kind>:<key>`, so that string order is by strength, then key. */
export type Node = string

/** `observedAt` is in ms. Of several observations of a pair the earliest counts. */
export type Link = { weaker: Node; stronger: Node; observedAt: number; byToken?: boolean }
/** An active merge (not undone): the customer of `from` becomes part of the customer of `into`. */
export type Merge = { from: Node; into: Node; decidedAt: number }

export type IdentitySettings = { maxLinkedPeople: number }
export const defaultIdentitySettings: IdentitySettings = { maxLinkedPeople: 10 }

export function toNode({ kind, key }: Identifier): Node {
  return `${identifierKinds.indexOf(kind)}:${key}`
}

export function toIdentifier(node: Node): Identifier {
  return { kind: identifierKinds[Number(node[0])]!, key: node.slice(2) }
}

/** The node that an event belongs to and the links it creates; undefined without identifiers. */
export function linksOfEvent(
  identifiers: readonly Identifier[],
  observedAt: number,
): { node: Node; links: Link[] } | undefined {
  const nodes = [...new Set(identifiers.map(toNode))].sort(compareNodes)
  const [node, ...otherNodes] = nodes
  if (node === undefined) return undefined
  const links = otherNodes
    .filter((weaker) => isStronger(node, weaker))
    .map((weaker) => ({ weaker, stronger: node, observedAt }))
  return { node, links }
}

/** Graph access of the resolver; results must be complete for the given node. */
export type IdentityGraph = {
  linksFrom(node: Node): readonly Link[]
  /** Merges whose `from` has this link root. */
  mergesFrom(linkRoot: Node): readonly Merge[]
}

/** The root of a node by links only, without merges. */
export function linkRoot(
  node: Node,
  linksFrom: IdentityGraph['linksFrom'],
  settings: IdentitySettings = defaultIdentitySettings,
): Node {
  for (let at = node; ; ) {
    const next = stepUp(linksFrom(at), settings)
    if (next === undefined) return at
    at = next
  }
}

/** The root of one node. For incremental callers that have loaded only the links of affected nodes. */
export function resolveNode(
  node: Node,
  graph: IdentityGraph,
  settings: IdentitySettings = defaultIdentitySettings,
): Node {
  const path: Node[] = []
  for (let at = linkRoot(node, graph.linksFrom, settings); ; ) {
    // A cycle of merges resolves to its strongest node, independent of the entry point.
    if (path.includes(at)) return path.slice(path.indexOf(at)).sort(compareNodes)[0]!
    path.push(at)
    const merge = graph.mergesFrom(at).toSorted(compareMerges)[0]
    if (!merge) return at
    at = linkRoot(merge.into, graph.linksFrom, settings)
  }
}

/** The root of every node in a link or merge. Other nodes are their own roots. */
export function resolve(
  links: readonly Link[],
  merges: readonly Merge[] = [],
  settings: IdentitySettings = defaultIdentitySettings,
): Map<Node, Node> {
  const graph = toGraph(links, merges, settings)
  const roots = new Map<Node, Node>()
  for (const { weaker, stronger } of links) for (const node of [weaker, stronger]) roots.set(node, node)
  for (const { from, into } of merges) for (const node of [from, into]) roots.set(node, node)
  for (const node of roots.keys()) roots.set(node, resolveNode(node, graph, settings))
  return roots
}

export function toGraph(
  links: readonly Link[],
  merges: readonly Merge[],
  settings: IdentitySettings = defaultIdentitySettings,
): IdentityGraph {
  const byWeaker = Map.groupBy(links, ({ weaker }) => weaker)
  const linksFrom = (node: Node) => byWeaker.get(node) ?? []
  const byRoot = Map.groupBy(merges, ({ from }) => linkRoot(from, linksFrom, settings))
  return { linksFrom, mergesFrom: (root) => byRoot.get(root) ?? [] }
}

function stepUp(links: readonly Link[], { maxLinkedPeople }: IdentitySettings): Node | undefined {
  let best: Link | undefined
  const stronger = new Set<Node>()
  const up = links.filter((link) => isStronger(link.stronger, link.weaker))
  const isByToken = up.every((link) => link.byToken)
  for (const link of up) {
    if (link.byToken && !isByToken) continue
    stronger.add(link.stronger)
    if (!best || (link.observedAt - best.observedAt || compareNodes(link.stronger, best.stronger)) < 0)
      best = link
  }
  return stronger.size > maxLinkedPeople ? undefined : best?.stronger
}

/** Orders merges from one root: the earliest decision wins; ties are broken by the nodes. */
function compareMerges(a: Merge, b: Merge): number {
  return a.decidedAt - b.decidedAt || compareNodes(a.into, b.into) || compareNodes(a.from, b.from)
}

function isStronger(a: Node, b: Node): boolean {
  return a[0]! < b[0]!
}

function compareNodes(a: Node, b: Node): number {
  return a < b ? -1 : a > b ? 1 : 0
}
