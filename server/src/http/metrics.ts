/** A small Prometheus registry: counters and histograms by label, gauges read when asked. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Histogram = { counts: number[]; sum: number; count: number }

export type Metrics = {
  count(name: string, labels: Record<string, string>, by?: number): void
  observe(name: string, labels: Record<string, string>, seconds: number): void
  gauge(name: string, read: () => number | Promise<number>): void
  render(): Promise<string>
}

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, () => number | Promise<number>>()
  return {
    count(name, labels, by = 1) {
      const series = entry(counters, name, () => new Map<string, number>())
      const key = labelText(labels)
      series.set(key, (series.get(key) ?? 0) + by)
    },
    observe(name, labels, seconds) {
      const series = entry(histograms, name, () => new Map<string, Histogram>())
      const histogram = entry(series, labelText(labels), () => ({
        counts: buckets.map(() => 0),
        sum: 0,
        count: 0,
      }))
      buckets.forEach((limit, index) => {
        if (seconds <= limit) histogram.counts[index]! += 1
      })
      histogram.sum += seconds
      histogram.count += 1
    },
    gauge(name, read) {
      gauges.set(name, read)
    },
    async render() {
      const lines: string[] = []
      for (const [name, series] of counters) {
        lines.push(`# TYPE ${name} counter`)
        for (const [labels, value] of series) lines.push(`${name}{${labels}} ${value}`)
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
      for (const [name, read] of gauges) lines.push(`# TYPE ${name} gauge`, `${name} ${await read()}`)
      return `${lines.join('\n')}\n`
    },
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** Label values are few: what they look like in a line is made once for each set of them. */
const MOST_REMEMBERED = 5000
const labelTexts = new Map<string, string>()

function labelText(labels: Record<string, string>): string {
  let key = ''
  for (const name in labels) key += `${name}\n${labels[name]}\n`
  const known = labelTexts.get(key)
  if (known !== undefined) return known
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',')
  if (labelTexts.size >= MOST_REMEMBERED) labelTexts.clear()
  labelTexts.set(key, text)
  return text
}
