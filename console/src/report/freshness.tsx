import { Link } from '@tanstack/react-router'
import type { Success } from '@whence/server/contract/client.ts'
import { usePlace } from '../api/profile.ts'
import { plural } from '../format/numbers.ts'
import { agoText, dayText } from '../format/times.ts'
import { providerName } from '../names/providers.ts'
import { Notice } from '../ui/notice.tsx'
import { RecomputeLine } from './recompute-line.tsx'

type Source = { source: string; name: string | null; through: string | null; stale: boolean }

export type Freshness = {
  computed_through: string
  stale: boolean
  sources: readonly Source[]
}

export type ReportMeta = {
  currency: string
  model: string
  lookback_days: number
  reconciliation: { total: number; credited: number; unattributed: number; delta: number }
  freshness: Freshness
  fx_missing: number
  fx_missing_rates: readonly { currency: string; day: string }[]
}

export function metaOf(reply: Success<unknown>): ReportMeta {
  return reply.meta as ReportMeta
}

/** What a reader has to know before believing the figures, and how far they reach. */
export function Caveats({ meta, sources = [] }: { meta: ReportMeta; sources?: readonly string[] }) {
  return (
    <>
      <MissingRates meta={meta} />
      <Through freshness={meta.freshness} sources={sources} />
    </>
  )
}

/** Amounts that no figure holds, and the two ways to have them counted. */
export function MissingRates({
  meta,
}: {
  meta: Pick<ReportMeta, 'currency' | 'fx_missing' | 'fx_missing_rates'>
}) {
  const { profile } = usePlace()
  if (meta.fx_missing === 0) return null
  return (
    <Notice tone="warn">
      {plural(meta.fx_missing, 'amount')} skipped: no exchange rate to {meta.currency} from{' '}
      {missingText(meta.fx_missing_rates)}. Figures made of these amounts show “–”. Whoever runs this service
      sets a source of rates (<code>FX_RATES_SOURCE</code>); the figures then fill in by themselves.{' '}
      <Link to="/p/$profileId/help" params={{ profileId: profile.id }} hash="exchange-rates">
        More about rates
      </Link>
    </Notice>
  )
}

/** Whether figures still change, which accounts are behind, and how far the rest reaches. */
export function Through({ freshness, sources = [] }: { freshness: Freshness; sources?: readonly string[] }) {
  return (
    <>
      {freshness.stale ? (
        <Notice>
          New data is being processed. The figures below may still change.
          <RecomputeLine />
        </Notice>
      ) : null}
      {freshness.sources
        .filter(({ stale }) => stale)
        .map(({ source, name, through }) => (
          <Notice key={`${source} ${name}`} tone="warn">
            {name ?? providerName(source)}:{' '}
            {through ? `no new data since ${dayText(through)}.` : 'no data yet.'}
          </Notice>
        ))}
      <p className="data-through">{[...sources, throughText({ freshness })].join(' · ')}</p>
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
export function missingText(rates: ReportMeta['fx_missing_rates']): string {
  const byCurrency = Map.groupBy(rates, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, own]) => {
      const days = own.map(({ day }) => day).sort()
      const [first, last] = [days[0]!, days.at(-1)!]
      return `${currency} (${first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`})`
    })
    .join(', ')
}
