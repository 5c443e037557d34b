import { agoText, dayText } from '../format/times.ts'
import { providerName } from '../names/providers.ts'

type Source = { source: string; name: string | null; through: string | null; stale: boolean }

export type Freshness = {
  computed_through: string
  stale: boolean
  sources: readonly Source[]
}

/** The last day with ad data, per source if they differ, and when the figures were computed. */
export function throughText({ freshness }: { freshness: Freshness }, now = Date.now()): string {
  const computed = `Computed ${agoText(freshness.computed_through, now)}`
  const withData = freshness.sources.filter(({ through }) => through !== null)
  const byDay = [...Map.groupBy(withData, ({ through }) => through!)].sort(([a], [b]) => (a < b ? 1 : -1))
  if (byDay.length === 0) return computed
  const parts = byDay.map(([day, daySources]) => {
    const names = [...new Set(daySources.map(({ source, name }) => name ?? providerName(source)))]
    return byDay.length === 1 ? dayText(day, true) : `${dayText(day, true)} (${names.join(', ')})`
  })
  return `Ad data through ${parts.join(', ')} · ${computed}`
}
