import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProfileContext } from '../api/profile.ts'
import { plural } from '../format/numbers.ts'
import { dayText } from '../format/times.ts'
import { providerName } from '../names/providers.ts'
import { Notice } from '../ui/notice.tsx'
import { RateDialog } from './rate-dialog.tsx'
import { RecomputeLine } from './recompute-line.tsx'
import { type Freshness, throughText } from './through-text.ts'

export type ReportMeta = {
  currency: string
  model: string
  lookback_days: number
  reconciliation: { total: number; credited: number; unattributed: number; delta: number; left_out: number }
  freshness: Freshness
  fx_missing: number
  fx_missing_rates: readonly { currency: string; day: string }[]
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

/** Amounts that no figure contains, and the ways to have them counted. */
export function MissingRates({
  meta,
}: {
  meta: Pick<ReportMeta, 'currency' | 'fx_missing' | 'fx_missing_rates'>
}) {
  const { profile } = useProfileContext()
  const [isOpen, setOpen] = useState(false)
  const [missing] = meta.fx_missing_rates
  if (meta.fx_missing === 0) return null
  return (
    <Notice tone="warn">
      {plural(meta.fx_missing, 'amount')} left out: no exchange rate to {meta.currency} from{' '}
      {missingText(meta.fx_missing_rates)}. Figures count the other amounts only, and show “–” where there are
      none. Enter the rate, or have the operator set a source of rates (<code>FX_RATES_SOURCE</code>).{' '}
      {missing ? (
        <button type="button" className="link" onClick={() => setOpen(true)}>
          Enter a rate
        </button>
      ) : null}
      {missing && isOpen ? (
        <RateDialog missing={missing} target={meta.currency} onClose={() => setOpen(false)} />
      ) : null}{' '}
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
