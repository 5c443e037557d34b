/**
 * Plans shard moves so that the load is balanced over the nodes. Citus balances by disk size by default, which may
 * leave all tenants of a small database on one node; here the load is the number of events plus tenants.
 */

export type ShardLoad = { id: string; node: string; tenants: number; events: number }
export type Move = { shard: string; from: string; to: string }
type NodeLoad = { node: string; tenants: number; events: number; shards: number }

/** Differences up to a tenth of the mean are accepted, because each move copies a shard. */
const MIN_RELATIVE_GAIN = 0.05

type Placed = ShardLoad & { load: number }
type Step = { moved: Placed; to: string; back: Placed | undefined; gain: number }

/** A tenant without events counts too, because it will have some. */
const loadOf = ({ tenants, events }: ShardLoad) => tenants + events

export function planMoves(nodes: readonly string[], shards: readonly ShardLoad[]): Move[] {
  const placed: Placed[] = shards.map((shard) => ({ ...shard, load: loadOf(shard) }))
  evacuateNodes(nodes, placed)
  spreadLoad(nodes, placed)
  spreadEmpty(nodes, placed)
  const before = new Map(shards.map(({ id, node }) => [id, node]))
  return placed
    .filter(({ id, node }) => before.get(id) !== node)
    .sort((a, b) => b.load - a.load)
    .map(({ id, node }) => ({ shard: id, from: before.get(id)!, to: node }))
}

/** Moves shards of nodes that are to have none to the least loaded nodes. */
function evacuateNodes(nodes: readonly string[], shards: readonly Placed[]): void {
  const shardsOf = (node: string) => shards.filter((shard) => shard.node === node)
  const loadAt = (node: string) => shardsOf(node).reduce((sum, { load }) => sum + load, 0)
  const leaving = shards.filter(({ node }) => !nodes.includes(node)).sort((a, b) => b.load - a.load)
  for (const shard of leaving)
    shard.node = nodes
      .map((node) => ({ node, load: loadAt(node), count: shardsOf(node).length }))
      .sort((a, b) => a.load - b.load || a.count - b.count)[0]!.node
}

/**
 * Greedy: repeats the step with the largest decrease of the sum of squares per moved shard, until the gain is too
 * small.
 */
function spreadLoad(nodes: readonly string[], shards: readonly Placed[]): void {
  const loads = new Map(nodes.map((node) => [node, 0]))
  for (const { node, load } of shards) loads.set(node, loads.get(node)! + load)
  const mean = shards.reduce((sum, { load }) => sum + load, 0) / nodes.length
  const least = 2 * (MIN_RELATIVE_GAIN * mean) ** 2
  for (;;) {
    const step = bestStep(nodes, shards, loads)
    if (step === undefined || step.gain <= least) return
    const { moved, to, back } = step
    const difference = moved.load - (back?.load ?? 0)
    loads.set(moved.node, loads.get(moved.node)! - difference)
    loads.set(to, loads.get(to)! + difference)
    if (back !== undefined) back.node = moved.node
    moved.node = to
  }
}

/** Moves one shard, or swaps two. */
function bestStep(
  nodes: readonly string[],
  shards: readonly Placed[],
  loads: ReadonlyMap<string, number>,
): Step | undefined {
  let best: Step | undefined
  const gainOf = (difference: number, from: string, to: string) =>
    2 * difference * (loads.get(from)! - loads.get(to)! - difference)
  const consider = (step: Step) => {
    if (step.gain > (best?.gain ?? 0)) best = step
  }
  for (const moved of shards) {
    for (const to of nodes)
      if (to !== moved.node)
        consider({ moved, to, back: undefined, gain: gainOf(moved.load, moved.node, to) })
    for (const back of shards)
      if (back.node !== moved.node && back.load > 0 && back.load < moved.load) {
        const gain = gainOf(moved.load - back.load, moved.node, back.node) / 2
        consider({ moved, to: back.node, back, gain })
      }
  }
  return best
}

/** Balances the number of shards with those without tenants, because new tenants may fall into any shard. */
function spreadEmpty(nodes: readonly string[], shards: readonly Placed[]): void {
  const counts = new Map(nodes.map((node) => [node, 0]))
  for (const { node } of shards) counts.set(node, counts.get(node)! + 1)
  for (;;) {
    const ordered = [...counts].sort((a, b) => a[1] - b[1])
    const [to, fewest] = ordered[0]!
    const shard = ordered
      .toReversed()
      .filter(([, count]) => count - fewest >= 2)
      .map(([node]) => shards.find((candidate) => candidate.node === node && candidate.load === 0))
      .find((candidate) => candidate !== undefined)
    if (shard === undefined) return
    counts.set(shard.node, counts.get(shard.node)! - 1)
    counts.set(to, fewest + 1)
    shard.node = to
  }
}

/** Loads per node, including nodes without shards. */
export function loadsOf(nodes: readonly string[], shards: readonly ShardLoad[]): NodeLoad[] {
  return nodes.map((node) => {
    const nodeShards = shards.filter((shard) => shard.node === node)
    const sum = (count: (shard: ShardLoad) => number) =>
      nodeShards.reduce((total, shard) => total + count(shard), 0)
    return {
      node,
      tenants: sum(({ tenants }) => tenants),
      events: sum(({ events }) => events),
      shards: nodeShards.length,
    }
  })
}

export function afterMoves(shards: readonly ShardLoad[], moves: readonly Move[]): ShardLoad[] {
  const to = new Map(moves.map((move) => [move.shard, move.to]))
  return shards.map((shard) => ({ ...shard, node: to.get(shard.id) ?? shard.node }))
}
