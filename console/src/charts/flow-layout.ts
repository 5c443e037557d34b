/** Computes node and band positions of a flow diagram: columns of steps that end in one common node. */

export type Flow = { key: string; steps: readonly string[]; weight: number }
export type FlowNode = {
  id: string
  step: string
  column: number
  x: number
  y: number
  height: number
  weight: number
}
export type FlowBand = {
  id: string
  from: FlowNode
  to: FlowNode
  weight: number
  /** Keys of the flows in this band. */
  keys: ReadonlySet<string>
  path: string
}
export type FlowLayout = { nodes: FlowNode[]; bands: FlowBand[]; columns: number }
type Box = { width: number; height: number; nodeWidth: number; gap: number }

/** `end`: the last step of every flow. Flows are aligned at their ends, so the last steps before it share a column. */
export function computeFlowLayout(flows: readonly Flow[], end: string, box: Box): FlowLayout {
  const nonEmptyFlows = flows.filter(({ weight }) => weight > 0)
  const columns = Math.max(1, ...nonEmptyFlows.map(({ steps }) => steps.length)) + 1
  const nodes = new Map<string, FlowNode>()
  const bands = new Map<string, { from: FlowNode; to: FlowNode; weight: number; keys: Set<string> }>()
  const nodeAt = (column: number, step: string, weight: number): FlowNode => {
    const id = `${column} ${step}`
    const node = nodes.get(id) ?? { id, step, column, x: 0, y: 0, height: 0, weight: 0 }
    node.weight += weight
    nodes.set(id, node)
    return node
  }
  for (const { key, steps, weight } of nonEmptyFlows) {
    const start = columns - 1 - steps.length
    const visited = [...steps, end].map((step, index) => nodeAt(start + index, step, weight))
    visited.slice(1).forEach((to, index) => {
      const from = visited[index]!
      const id = `${from.id} > ${to.id}`
      const band = bands.get(id) ?? { from, to, weight: 0, keys: new Set<string>() }
      band.weight += weight
      band.keys.add(key)
      bands.set(id, band)
    })
  }
  const byColumn = Map.groupBy(nodes.values(), ({ column }) => column)
  const total = nonEmptyFlows.reduce((sum, { weight }) => sum + weight, 0)
  const maxNodes = Math.max(1, ...[...byColumn.values()].map(({ length }) => length))
  const scale = total === 0 ? 0 : (box.height - box.gap * (maxNodes - 1)) / total
  for (const [column, columnNodes] of byColumn) {
    columnNodes.sort((a, b) => b.weight - a.weight || (a.step < b.step ? -1 : 1))
    const height = columnNodes.reduce(
      (sum, { weight }) => sum + weight * scale,
      box.gap * (columnNodes.length - 1),
    )
    let y = (box.height - height) / 2
    for (const node of columnNodes) {
      node.x = round((column / (columns - 1)) * (box.width - box.nodeWidth))
      node.y = round(y)
      node.height = round(node.weight * scale)
      y += node.height + box.gap
    }
  }
  return { nodes: [...nodes.values()], bands: drawBands(bands, scale, box.nodeWidth), columns }
}

type Unplaced = Omit<FlowBand, 'id' | 'path'>

function drawBands(bands: ReadonlyMap<string, Unplaced>, scale: number, nodeWidth: number): FlowBand[] {
  const usedLeft = new Map<string, number>()
  const usedRight = new Map<string, number>()
  const tops = new Map<string, { from: number; to: number }>()
  const all = [...bands].map(([id, band]) => ({ id, ...band }))
  const stack = (used: Map<string, number>, node: FlowNode, weight: number) => {
    const at = used.get(node.id) ?? node.y
    used.set(node.id, at + weight * scale)
    return at
  }
  for (const band of all.toSorted((a, b) => a.to.y - b.to.y || a.from.y - b.from.y))
    tops.set(band.id, { from: stack(usedRight, band.from, band.weight), to: 0 })
  for (const band of all.toSorted((a, b) => a.from.y - b.from.y || a.to.y - b.to.y))
    tops.get(band.id)!.to = stack(usedLeft, band.to, band.weight)
  return all.map((band) => {
    const { from, to } = tops.get(band.id)!
    const height = Math.max(1, band.weight * scale)
    const [x1, x2] = [band.from.x + nodeWidth, band.to.x]
    const middle = round((x1 + x2) / 2)
    const [a, b, c, d] = [from, to, to + height, from + height].map(round)
    return {
      ...band,
      path: `M${x1} ${a}C${middle} ${a} ${middle} ${b} ${x2} ${b}V${c}C${middle} ${c} ${middle} ${d} ${x1} ${d}Z`,
    }
  })
}

const round = (value: number) => Math.round(value * 100) / 100
