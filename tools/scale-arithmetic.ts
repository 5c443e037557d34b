/**
 * The arithmetic of docs/scale.md. Its input is measured: figures in bold in docs/scale.md, and rows and sentences of
 * bench/RESULTS.md. Change them only there.
 */

/** Utilisation of a node's cores and disk. */
const USED = 0.7
const BILLION = 1_000_000_000
const SECONDS_A_DAY = 86_400
const DAYS_A_MONTH = 30
/** Peak rate, relative to the daily average. */
const PEAK = 3
const WORKERS = [1, 10, 100]
/** Days that changes of closed days keep their own time (`DETAILED_DAYS`); then they are summed by day. */
const DETAILED_DAYS = 60
/** Default and minimum of RAW_EVENT_DAYS. */
const WINDOWS = [400, 100]

type Figures = ReturnType<typeof readFigures>

function numbers(text: string, pattern: RegExp, source: string): number[] {
  const groups = pattern.exec(text)?.slice(1)
  if (groups === undefined) throw new Error(`${source} no longer contains: ${pattern.source}`)
  return groups.map((value) => Number(value.replaceAll(',', '')))
}

export function readFigures(page: string, results: string) {
  /** The figure in bold after these words. */
  const bold = (label: string) =>
    numbers(page, new RegExp(`${label} \\*\\*([\\d.]+)\\b`), 'docs/scale.md')[0]!
  const result = (pattern: RegExp) => numbers(results, pattern, 'bench/RESULTS.md')
  const [singleServiceUs] = result(/`POST \/events`, 64 connections \|.*?\| (\d+) \+ \d+ µs/)
  const [batchServiceUs, batchDatabaseUs] = result(/`POST \/events\/batch` of 500, .*?\| (\d+) \+ (\d+) µs/)
  const [growth] = result(/\| 10,000,000 \|.*?\| ([\d.]+), [\d.]+ \|/)
  const [rawBytes, thinBytes] = result(/(\d+) bytes of raw event become (\d+)/)
  const [rowsBefore, rowsAfter] = result(/of ([\d,]+) rows ([\d,]+) stay/)
  return {
    workerMs: bold('CPU of a worker for a single event:'),
    coordinatorMs: bold('CPU of the coordinator for it:'),
    timesPlain: bold('A worker, times plain PostgreSQL:'),
    cores: bold('Cores of a node:'),
    memoryGb: bold('Memory of a node:'),
    diskTb: bold('Disk of a node:'),
    rawKb: bold('Disk for a raw event and its key:'),
    allKb: bold('Disk for an event in all tables:'),
    lateKb: bold('Record of changes for a late event:'),
    summedLateKb: bold('The same once summed by day:'),
    latePercent: bold('Late events:'),
    parquetKb: bold('An event in Parquet files:'),
    pool: bold('Connections of a process to a worker:'),
    connectionMb: bold('Memory of a connection:'),
    singleServiceUs: singleServiceUs!,
    batchServiceUs: batchServiceUs!,
    batchDatabaseUs: batchDatabaseUs!,
    growth: growth!,
    /** Remaining share of raw events after RAW_EVENT_DAYS. */
    leftOfRaw: (thinBytes! * rowsAfter!) / (rawBytes! * rowsBefore!),
  }
}

/** An event in all tables, kept for these days, with its part of the record of changes. */
function eventKb({ allKb, lateKb, summedLateKb, latePercent }: Figures, days: number): number {
  const detailed = Math.min(days, DETAILED_DAYS)
  const recordKb = (detailed * lateKb + (days - detailed) * summedLateKb) / days
  return allKb + (latePercent / 100) * recordKb
}

type Limit = { name: string; perSecond: number }

/** Events a second at which each resource is exhausted, all sent as single events, lowest first. */
export function limitsOf(figures: Figures, workers: number, windowDays: number): Limit[] {
  const { cores, memoryGb, diskTb, pool, connectionMb, singleServiceUs } = figures
  const perNode = (ms: number) => (cores * USED * 1000) / ms
  /** Half of the memory is for connections, the rest for pages. */
  const processes = (memoryGb * 1000) / 2 / (pool * connectionMb)
  return [
    {
      name: `the workers' disks (${windowDays} days)`,
      perSecond:
        (workers * diskTb * USED * 1e9) / (eventKb(figures, windowDays) * windowDays * SECONDS_A_DAY),
    },
    { name: "the workers' CPU", perSecond: workers * perNode(figures.workerMs) },
    {
      name: "the coordinator's CPU",
      perSecond: figures.coordinatorMs === 0 ? Number.POSITIVE_INFINITY : perNode(figures.coordinatorMs),
    },
    { name: 'connections', perSecond: (processes * USED * 1e6) / singleServiceUs },
  ].sort((a, b) => a.perSecond - b.perSecond)
}

export function scaleArithmetic(page: string, results: string): string {
  const figures = readFigures(page, results)
  return [
    ...costTable(figures),
    '',
    ...storageTable(figures),
    '',
    ...bottleneckTable(figures),
    '',
    billion(figures),
  ].join('\n')
}

/** Database milliseconds of a worker for an event of a batch of 500, once the tables are large. */
const batchMs = ({ batchDatabaseUs, growth, timesPlain }: Figures) =>
  (batchDatabaseUs * growth * timesPlain) / 1000

function costTable(figures: Figures): string[] {
  const perNode = (ms: number) => (figures.cores * USED * 1000) / ms
  const row = (name: string, worker: number, coordinator: number, serviceUs: number) =>
    `| ${name} | ${worker.toFixed(2)} ms | ${coordinator.toFixed(2)} ms | ${(serviceUs / 1000).toFixed(2)} ms | ${rounded(perNode(worker))} | ${rounded((USED * 1e6) / serviceUs)} |`
  return [
    '| Cost of an event, CPU | worker | coordinator | service | events a second: one worker | one service process |',
    '|---|---|---|---|---|---|',
    row(
      'single, shares a batch with no other',
      figures.workerMs,
      figures.coordinatorMs,
      figures.singleServiceUs,
    ),
    row('in batches of 500, at 10 million stored', batchMs(figures), 0, figures.batchServiceUs),
  ]
}

function storageTable(figures: Figures): string[] {
  const month = BILLION * DAYS_A_MONTH
  const { allKb, rawKb, summedLateKb, latePercent } = figures
  const keptKb = allKb - rawKb + rawKb * figures.leftOfRaw + (latePercent / 100) * summedLateKb
  const nodes = (kb: number) => Math.ceil(kb / (figures.diskTb * USED * 1e9))
  const windows = WINDOWS.map((days) => {
    const kb = BILLION * days * eventKb(figures, days)
    return `| the last ${days} days (\`RAW_EVENT_DAYS=${days}\`) | ${disk(kb)} | ${nodes(kb)} |`
  })
  return [
    '| Storage at a billion events a day | size | disks of this many workers |',
    '|---|---|---|',
    `| a month, all tables | ${disk(month * eventKb(figures, DAYS_A_MONTH))} | ${nodes(month * eventKb(figures, DAYS_A_MONTH))} |`,
    ...windows,
    `| each month before that: keys, people, touches, sums and the rest of raw events | ${disk(month * keptKb)} | ${nodes(month * keptKb)} |`,
    `| a month in Parquet files, in an object store | ${disk(month * figures.parquetKb)} | – |`,
  ]
}

function bottleneckTable(figures: Figures): string[] {
  const [long, short] = WINDOWS as [number, number]
  const rows = WORKERS.map((workers) => {
    const [first] = limitsOf(figures, workers, long)
    const [later, then] = limitsOf(figures, workers, short)
    const processes = Math.ceil((later!.perSecond * figures.singleServiceUs) / (USED * 1e6))
    return `| ${workers} | ${formatLimit(first!)} | ${formatLimit(later!)} | ${formatLimit(then!)} | ${rounded(processes)} | ${rounded(processes * figures.pool)} |`
  })
  return [
    `| Workers | first bottleneck, ${long} days kept | first, ${short} days kept, older ones copied as Parquet | then | service processes for that | connections per worker |`,
    '|---|---|---|---|---|---|',
    ...rows,
  ]
}

const formatLimit = ({ name, perSecond }: Limit) =>
  `${name}: ${rounded(perSecond)}/s, ${inWords(perSecond * SECONDS_A_DAY)} a day`

function billion(figures: Figures): string {
  const average = BILLION / SECONDS_A_DAY
  const workersFor = (rate: number, ms: number) => Math.ceil((rate * ms) / (figures.cores * USED * 1000))
  const [single, batch] = [figures.workerMs, batchMs(figures)]
  const coordinator =
    figures.coordinatorMs === 0
      ? 'The coordinator has no part in it.'
      : `${Math.floor(single / figures.coordinatorMs)} workers at capacity saturate the coordinator.`
  return `A billion a day is ${rounded(average)} a second, ${rounded(average * PEAK)} at ${PEAK} times the average. By CPU, as single events: ${workersFor(average, single)} workers for the average, ${workersFor(average * PEAK, single)} for the peak; in batches of 500: ${workersFor(average, batch)} and ${workersFor(average * PEAK, batch)}. ${coordinator}`
}

/** Rounded to two significant digits. */
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
  return gb >= 1000 ? `${(gb / 1000).toFixed(gb >= 10_000 ? 0 : 1)} TB` : `${rounded(gb)} GB`
}
