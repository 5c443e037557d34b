/** The figures of a run of citus.ts, held against the bars that a distributed database has to keep. */
import { readFile, writeFile } from 'node:fs/promises'

export type NodeFigures = {
  name: string
  tenants: number
  /** Of the node's CPU for each event of anybody, without what it does when there are none. */
  msAnEvent: number
  /** Null if no tenant's rows are stored there. */
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

/** The newest run of each number of workers, in order of it, this one included; kept in the file if one is named. */
export async function saveFigures(
  file: string | undefined,
  figures: readonly Figures[],
): Promise<Figures[][]> {
  const text = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined)
  const earlier = text === undefined ? [] : (JSON.parse(text) as Figures[][])
  const others = earlier.filter((run) => workersOf(run) !== workersOf(figures))
  const all = [...others, [...figures]].sort((a, b) => workersOf(a) - workersOf(b))
  if (file !== undefined) await writeFile(file, JSON.stringify(all, null, 1))
  return all
}

const total = ({ nodes }: Figures) => nodes.reduce((sum, node) => sum + node.msAnEvent, 0)
const distributedOf = (run: readonly Figures[]) => run.find(({ nodes }) => nodes.length > 1)
const plainOf = (run: readonly Figures[]) => run.find(({ nodes }) => nodes.length === 1)
const workers = ({ nodes }: Figures) => nodes.filter(({ msAnOwnEvent }) => msAnOwnEvent !== null)

function workersOf(run: readonly Figures[]): number {
  const distributed = distributedOf(run)
  return distributed === undefined ? 0 : workers(distributed).length
}

export function printBar(label: string, figure: number, holds: boolean, bar: string): void {
  const shown = Number.isInteger(figure) ? String(figure) : figure.toFixed(3)
  console.log(`  ${holds ? 'HOLDS ' : 'FAILS '} ${label}: ${shown} (bar: ${bar})`)
}

export function printBars(figures: readonly Figures[], runs: readonly (readonly Figures[])[]): void {
  const [plain, distributed] = [plainOf(figures), distributedOf(figures)]
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
  tellGrowth(runs)
}

/**
 * Each node's cost per event of its own tenants, against the mean of the run with the fewest workers: as it was, and in
 * units of plain PostgreSQL of the same run, which takes off how fast the machine was in each.
 */
function tellGrowth(runs: readonly (readonly Figures[])[]): void {
  const known = runs.flatMap((run) => {
    const distributed = distributedOf(run)
    const plain = plainOf(run)
    if (distributed === undefined) return []
    const own = workers(distributed).map(({ msAnOwnEvent }) => msAnOwnEvent!)
    return [{ count: own.length, own, unit: plain === undefined ? undefined : total(plain) }]
  })
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [first, ...more] = known
  if (first === undefined) return
  console.log(
    `  ${first.count} worker(s): ${first.own.map((ms) => ms.toFixed(2)).join(', ')} ms per event of its own, mean ${mean(first.own).toFixed(2)}; plain ${first.unit?.toFixed(2) ?? '–'}`,
  )
  if (more.length === 0) console.log('  no run with another number of workers to compare with (RESULTS)')
  for (const { count, own, unit } of more) {
    console.log(
      `  ${count} workers: ${own.map((ms) => ms.toFixed(2)).join(', ')} ms per event of its own, mean ${mean(own).toFixed(2)}; plain ${unit?.toFixed(2) ?? '–'}`,
    )
    const worst = Math.max(...own.map((ms) => Math.abs(ms / mean(first.own) - 1)))
    printBar(`each of ${count} workers, off the mean with ${first.count}`, worst, worst <= 0.1, '≤ 0.10')
    const off = Math.abs(mean(own) / mean(first.own) - 1)
    printBar(`mean of ${count} workers, off the mean with ${first.count}`, off, off <= 0.1, '≤ 0.10')
    if (unit === undefined || first.unit === undefined) continue
    const firstInUnits = mean(first.own) / first.unit
    const offInUnits = (ms: number) => Math.abs(ms / unit / firstInUnits - 1)
    const worstInUnits = Math.max(...own.map(offInUnits))
    printBar('each, in units of plain of its own run', worstInUnits, worstInUnits <= 0.1, '≤ 0.10')
    printBar(
      'mean, in units of plain of its own run',
      offInUnits(mean(own)),
      offInUnits(mean(own)) <= 0.1,
      '≤ 0.10',
    )
  }
}
