/** Compares the figures of a run of citus.ts with the limits for a distributed database. */
import { readFile, writeFile } from 'node:fs/promises'

export type NodeFigures = {
  name: string
  tenants: number
  /** CPU of the node per event of any tenant, without its idle cost. */
  msAnEvent: number
  /** CPU per event of the tenants on this node. Null if there are none. */
  msAnOwnEvent: number | null
  idleMsASecond: number
  withIdle: number
}

export type Figures = {
  side: string
  events: number
  tenants: number
  nodes: NodeFigures[]
  reportP50Ms: number
  load: number
}

/** Returns the newest run for each number of workers, this one included, and writes them to the file if there is one. */
export async function saveFigures(
  file: string | undefined,
  figures: readonly Figures[],
): Promise<Figures[][]> {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined)
  const savedRuns = text === undefined ? [] : (JSON.parse(text) as Figures[][])
  const otherRuns = savedRuns.filter((run) => workersOf(run) !== workersOf(figures))
  const all = [...otherRuns, [...figures]].sort((a, b) => workersOf(a) - workersOf(b))
  if (file !== undefined) await writeFile(file, JSON.stringify(all, null, 1))
  return all
}

const total = ({ nodes }: Figures) => nodes.reduce((sum, node) => sum + node.msAnEvent, 0)
const findDistributed = (run: readonly Figures[]) => run.find(({ nodes }) => nodes.length > 1)
const findPlain = (run: readonly Figures[]) => run.find(({ nodes }) => nodes.length === 1)
const workers = ({ nodes }: Figures) => nodes.filter(({ msAnOwnEvent }) => msAnOwnEvent !== null)

function workersOf(run: readonly Figures[]): number {
  const distributed = findDistributed(run)
  return distributed === undefined ? 0 : workers(distributed).length
}

export function printBar(label: string, figure: number, holds: boolean, bar: string): void {
  const formatted = Number.isInteger(figure) ? String(figure) : figure.toFixed(3)
  console.log(`  ${holds ? 'HOLDS ' : 'FAILS '} ${label}: ${formatted} (bar: ${bar})`)
}

export function printBars(figures: readonly Figures[], runs: readonly (readonly Figures[])[]): void {
  const [plain, distributed] = [findPlain(figures), findDistributed(figures)]
  if (distributed === undefined) return
  console.log('Bars')
  if (plain !== undefined) {
    const share = total(distributed) / total(plain)
    printBar('database CPU an event, Citus in total / plain', share, share <= 1.5, '≤ 1.5')
    const coordinator = distributed.nodes.find(({ name }) => name === 'coordinator')!.msAnEvent / total(plain)
    printBar('coordinator / plain', coordinator, coordinator <= 0.1, '≤ 0.1')
    const report = distributed.reportP50Ms / plain.reportP50Ms
    printBar('report p50, Citus / plain', report, report <= 1.3, '≤ 1.3')
  }
  printGrowth(runs)
}

/**
 * Each node's cost per event of its own tenants, relative to the mean of the run with the fewest workers: in milliseconds
 * and in units of plain PostgreSQL of the same run, which corrects for the speed of the machine.
 */
function printGrowth(runs: readonly (readonly Figures[])[]): void {
  const distributedRuns = runs.flatMap((run) => {
    const distributed = findDistributed(run)
    const plain = findPlain(run)
    if (distributed === undefined) return []
    const costs = workers(distributed).map(({ msAnOwnEvent }) => msAnOwnEvent!)
    return [{ count: costs.length, costs, unit: plain === undefined ? undefined : total(plain) }]
  })
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [first, ...otherRuns] = distributedRuns
  if (first === undefined) return
  console.log(
    `  ${first.count} worker(s): ${first.costs.map((ms) => ms.toFixed(2)).join(', ')} ms per event of its own tenants, mean ${mean(first.costs).toFixed(2)}; plain ${first.unit?.toFixed(2) ?? '–'}`,
  )
  if (otherRuns.length === 0) console.log('  no run with another number of workers to compare with (RESULTS)')
  for (const { count, costs, unit } of otherRuns) {
    console.log(
      `  ${count} workers: ${costs.map((ms) => ms.toFixed(2)).join(', ')} ms per event of its own tenants, mean ${mean(costs).toFixed(2)}; plain ${unit?.toFixed(2) ?? '–'}`,
    )
    const worst = Math.max(...costs.map((ms) => Math.abs(ms / mean(first.costs) - 1)))
    printBar(`each of ${count} workers, off the mean with ${first.count}`, worst, worst <= 0.1, '≤ 0.10')
    const deviation = Math.abs(mean(costs) / mean(first.costs) - 1)
    printBar(
      `mean of ${count} workers, off the mean with ${first.count}`,
      deviation,
      deviation <= 0.1,
      '≤ 0.10',
    )
    if (unit === undefined || first.unit === undefined) continue
    const firstInUnits = mean(first.costs) / first.unit
    const offInUnits = (ms: number) => Math.abs(ms / unit / firstInUnits - 1)
    const worstInUnits = Math.max(...costs.map(offInUnits))
    printBar('each, in units of plain of its own run', worstInUnits, worstInUnits <= 0.1, '≤ 0.10')
    printBar(
      'mean, in units of plain of its own run',
      offInUnits(mean(costs)),
      offInUnits(mean(costs)) <= 0.1,
      '≤ 0.10',
    )
  }
}
