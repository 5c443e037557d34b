/** The arithmetic of docs/scale.md, from the figures that its first lines name: they are changed there, once, and nowhere else. */

/** How much of a node's cores is used. */
const USED = 0.7
const BILLION = 1_000_000_000
const SECONDS_A_DAY = 86_400
/** Of the average of the day. */
const PEAK = 3
const WORKERS = [1, 8, 32]

/** The figure in bold after these words. */
function figure(page: string, words: string): number {
  const found = new RegExp(`${words} \\*\\*([\\d.]+)\\b`).exec(page)?.[1]
  if (found === undefined) throw new Error(`docs/scale.md no longer says: ${words} **…**`)
  return Number(found)
}

export function scaleArithmetic(page: string): string {
  const workerMs = figure(page, 'CPU of a worker for a single event:')
  const coordinatorMs = figure(page, 'CPU of the coordinator for it:')
  const cores = figure(page, 'Cores of a node:')
  const diskKb = figure(page, 'Disk for a raw event and its key:')
  const perNode = (ms: number) => (cores * USED * 1000) / ms
  const average = BILLION / SECONDS_A_DAY
  const workersFor = (eventsASecond: number) => Math.ceil(eventsASecond / perNode(workerMs))
  const rows = WORKERS.map((count) => {
    const rate = count * perNode(workerMs)
    return `| ${count} | ${rounded(rate)} | ${inWords(rate * SECONDS_A_DAY)} | ${disk(rate * SECONDS_A_DAY * diskKb)} |`
  })
  const coordinator =
    coordinatorMs === 0
      ? 'The coordinator has no part in it.'
      : `A coordinator of the same size takes ${rounded(perNode(coordinatorMs))} a second, which is what ${Math.floor(workerMs / coordinatorMs)} workers can bring it.`
  return [
    '| Workers | Events a second | a day | Disk a day |',
    '|---|---|---|---|',
    ...rows,
    '',
    `A billion a day is ${rounded(average)} a second, ${rounded(average * PEAK)} at ${PEAK} times the average: ${workersFor(average)} workers for the average, ${workersFor(average * PEAK)} for the peak. ${coordinator}`,
  ].join('\n')
}

/** Two digits. */
function rounded(value: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return (Math.round(value / unit) * unit).toLocaleString('en-US')
}

function inWords(count: number): string {
  return count >= BILLION
    ? `${(count / BILLION).toFixed(1)} billion`
    : `${rounded(count / 1_000_000)} million`
}

function disk(kb: number): string {
  const gb = kb / 1_000_000
  return gb >= 1000 ? `${(gb / 1000).toFixed(1)} TB` : `${rounded(gb)} GB`
}
