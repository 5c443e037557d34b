import type { Success } from '@whence/server/contract/client.ts'
import { plural } from '../format/numbers.ts'
import { agoText, dayText } from '../format/times.ts'
import { sentence } from '../names/providers.ts'
import { Notice } from '../ui/notice.tsx'
import { RecomputeLine } from './recompute-line.tsx'

type Source = { source: string; name: string | null; through: string | null; stale: boolean }

export type ReportMeta = {
  currency: string
  model: string
  lookback_days: number
  reconciliation: { total: number; credited: number; unattributed: number; delta: number }
  freshness: { computed_through: string; stale: boolean; sources: readonly Source[] }
  fx_missing: number
  fx_missing_rates: readonly { currency: string; day: string }[]
}

export function metaOf(reply: Success<unknown>): ReportMeta {
  return reply.meta as ReportMeta
}

/** What a reader has to know before believing the figures; nothing when all is well. */
export function Caveats({ meta }: { meta: ReportMeta }) {
  return (
    <>
      {meta.freshness.stale ? (
        <Notice>
          New data is being processed. The figures below may still change.
          <RecomputeLine />
        </Notice>
      ) : null}
      {meta.fx_missing > 0 ? (
        <Notice tone="warn">
          {plural(meta.fx_missing, 'amount')} skipped: no exchange rate to {meta.currency} from{' '}
          {missingText(meta.fx_missing_rates)}. Figures made of these amounts show “–”. Whoever runs this
          service sets a source of rates (<code>FX_RATES_SOURCE</code>); the figures then fill in by
          themselves.
        </Notice>
      ) : null}
      {meta.freshness.sources
        .filter(({ stale }) => stale)
        .map(({ source, name, through }) => (
          <Notice key={`${source} ${name}`} tone="warn">
            {name ?? sentence(source)}: {through ? `no new data since ${dayText(through)}.` : 'no data yet.'}
          </Notice>
        ))}
      <p className="data-through">{throughText(meta)}</p>
    </>
  )
}

/** How far the figures reach, on every report: the account that is furthest behind decides. */
export function throughText({ freshness }: Pick<ReportMeta, 'freshness'>, now = Date.now()): string {
  const computed = `Computed ${agoText(freshness.computed_through, now)}`
  const days = freshness.sources.map(({ through }) => through).filter((day) => day !== null)
  const [first] = days.sort()
  return first ? `Ad data through ${dayText(first, true)} · ${computed}` : computed
}

/** Currencies with the days that lack a rate: `USD (4 May – 6 May)`. */
function missingText(rates: ReportMeta['fx_missing_rates']): string {
  const byCurrency = Map.groupBy(rates, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, own]) => {
      const days = own.map(({ day }) => day).sort()
      const [first, last] = [days[0]!, days.at(-1)!]
      return `${currency} (${first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`})`
    })
    .join(', ')
}
