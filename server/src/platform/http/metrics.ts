/** A small Prometheus registry: counters and histograms with labels; gauges are read on each scrape. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Histogram = { counts: number[]; sum: number; count: number }
type Counter = { value: number }

/** Records one request of a route. */
export type Meter = (status: number, seconds: number) => void

export type Metrics = {
  /** Created once per route and method, so the labels are not formatted for every request. */
  meter(method: string, route: string): Meter
  count(name: string, labels: Record<string, string>, by?: number): void
  observe(name: string, labels: Record<string, string>, seconds: number): void
  gauge(name: string, read: () => number | Promise<number>): void
  /** A constant 1 whose labels describe the process, as `build_info`. */
  info(name: string, labels: Record<string, string>): void
  /** One value per label value. */
  gauges(name: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void
  render(): Promise<string>
}

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, Counter>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, () => number | Promise<number>>()
  const infos = new Map<string, string>()
  const labelled = new Map<string, { label: string; read: () => Promise<ReadonlyMap<string, number>> }>()
  const counterOf = (name: string, labels: Record<string, string>) =>
    entry(
      entry(counters, name, () => new Map<string, Counter>()),
      labelText(labels),
      () => ({ value: 0 }),
    )
  const histogramOf = (name: string, labels: Record<string, string>) =>
    entry(
      entry(histograms, name, () => new Map<string, Histogram>()),
      labelText(labels),
      () => ({ counts: buckets.map(() => 0), sum: 0, count: 0 }),
    )
  return {
    meter(method, route) {
      const statuses = new Map<number, Counter>()
      const duration = histogramOf('http_request_duration_seconds', { method, route })
      return (status, seconds) => {
        const ofStatus = () => counterOf('http_requests_total', { method, route, status: String(status) })
        entry(statuses, status, ofStatus).value += 1
        addTo(duration, seconds)
      }
    },
    count(name, labels, by = 1) {
      counterOf(name, labels).value += by
    },
    observe(name, labels, seconds) {
      addTo(histogramOf(name, labels), seconds)
    },
    gauge(name, read) {
      gauges.set(name, read)
    },
    info(name, labels) {
      infos.set(name, labelText(labels))
    },
    gauges(name, label, read) {
      labelled.set(name, { label, read })
    },
    async render() {
      const lines: string[] = []
      for (const [name, series] of counters) {
        lines.push(`# TYPE ${name} counter`)
        for (const [labels, { value }] of series) lines.push(`${name}{${labels}} ${value}`)
      }
      for (const [name, series] of histograms) {
        lines.push(`# TYPE ${name} histogram`)
        for (const [labels, histogram] of series) {
          const comma = labels === '' ? '' : ','
          buckets.forEach((limit, index) => {
            lines.push(`${name}_bucket{${labels}${comma}le="${limit}"} ${histogram.counts[index]}`)
          })
          lines.push(`${name}_bucket{${labels}${comma}le="+Inf"} ${histogram.count}`)
          lines.push(`${name}_sum{${labels}} ${histogram.sum}`, `${name}_count{${labels}} ${histogram.count}`)
        }
      }
      for (const [name, labels] of infos) lines.push(`# TYPE ${name} gauge`, `${name}{${labels}} 1`)
      // Concurrently, so that several gauges waiting for a hanging database add up to one timeout.
      const [single, many] = await Promise.all([
        Promise.all(Array.from(gauges, async ([name, read]) => ({ name, value: await read() }))),
        Promise.all(
          Array.from(labelled, async ([name, gauge]) => ({ name, ...gauge, values: await gauge.read() })),
        ),
      ])
      for (const { name, value } of single) lines.push(`# TYPE ${name} gauge`, `${name} ${numberText(value)}`)
      for (const { name, label, values } of many) {
        lines.push(`# TYPE ${name} gauge`)
        for (const [labelValue, value] of values)
          lines.push(`${name}{${labelText({ [label]: labelValue })}} ${numberText(value)}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function addTo(histogram: Histogram, seconds: number): void {
  for (let at = 0; at < buckets.length; at++) if (seconds <= buckets[at]!) histogram.counts[at]! += 1
  histogram.sum += seconds
  histogram.count += 1
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = make()
  map.set(key, created)
  return created
}

/** Number in Prometheus text format. */
function numberText(value: number): string {
  if (Math.abs(value) !== Number.POSITIVE_INFINITY) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}

function labelText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',')
}
