/**
 * Who an identifier belongs to: a pure function of the set of links and merges, whatever the order they came in.
 *
 * A node is one identifier. An event links each weaker identifier it carries to its strongest one. A node goes up to
 * the strictly stronger node it was seen with first, so chains end after at most six steps and cannot turn around;
 * a link that rests on a token only (links in mails get forwarded) counts where the node has no other link;
 * the node where it ends is the link root. A node seen with implausibly many stronger ones (a shared phone, a kiosk)
 * links none of them. Merges by people then lead from one link root to another.
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

/** `<rank of the kind>:<key>`, so that plain string order is strength, then key. */
export type Node = string

/** Times are ms; the same pair may be observed often, the earliest counts. */
export type Link = { weaker: Node; stronger: Node; observedAt: number; byToken?: boolean }
/** A merge that is in effect (undone ones are left out): the customer that `from` belongs to becomes that of `into`. */
export type Merge = { from: Node; into: Node; decidedAt: number }

export type IdentitySettings = { maxLinkedPeople: number }
export const defaultIdentitySettings: IdentitySettings = { maxLinkedPeople: 10 }

export function toNode({ kind, key }: Identifier): Node {
  return `${identifierKinds.indexOf(kind)}:${key}`
}

export function toIdentifier(node: Node): Identifier {
  return { kind: identifierKinds[Number(node[0])]!, key: node.slice(2) }
}

/** The node an event belongs to and the links it makes; undefined without any identifier. */
export function linksOfEvent(
  identifiers: readonly Identifier[],
  observedAt: number,
): { node: Node; links: Link[] } | undefined {
  const nodes = [...new Set(identifiers.map(toNode))].sort(compareNodes)
  const [node, ...others] = nodes
  if (node === undefined) return undefined
  const links = others
    .filter((weaker) => isStronger(node, weaker))
    .map((weaker) => ({ weaker, stronger: node, observedAt }))
  return { node, links }
}

/** What a resolver asks for; each answer must be complete for the node asked. */
export type IdentityGraph = {
  linksFrom(node: Node): readonly Link[]
  /** Merges whose `from` has this link root. */
  mergesFrom(linkRoot: Node): readonly Merge[]
}

/** Where the links alone lead. */
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

/** The root of one node: the incremental form, for a caller that holds the links of the affected nodes only. */
export function resolveNode(
  node: Node,
  graph: IdentityGraph,
  settings: IdentitySettings = defaultIdentitySettings,
): Node {
  const path: Node[] = []
  for (let at = linkRoot(node, graph.linksFrom, settings); ; ) {
    // Merges that run in a circle end at its strongest node, from wherever it was entered.
    if (path.includes(at)) return path.slice(path.indexOf(at)).sort(compareNodes)[0]!
    path.push(at)
    const merge = graph.mergesFrom(at).toSorted(compareMerges)[0]
    if (!merge) return at
    at = linkRoot(merge.into, graph.linksFrom, settings)
  }
}

/** The root of every node that a link or merge names. A node in neither is its own root. */
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

/** The earliest decision of several from one root; the tie is broken by the nodes themselves. */
function compareMerges(a: Merge, b: Merge): number {
  return a.decidedAt - b.decidedAt || compareNodes(a.into, b.into) || compareNodes(a.from, b.from)
}

function isStronger(a: Node, b: Node): boolean {
  return a[0]! < b[0]!
}

function compareNodes(a: Node, b: Node): number {
  return a < b ? -1 : a > b ? 1 : 0
}
