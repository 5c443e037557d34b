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

/** Notices about missing amounts and stale data, and the last day with data. */
export function Caveats({ meta, sources = [] }: { meta: ReportMeta; sources?: readonly string[] }) {
  return (
    <>
      <MissingRates meta={meta} />
      <DataThrough freshness={meta.freshness} sources={sources} />
    </>
  )
}

/** Notice about amounts without an exchange rate, with a dialog to enter one. */
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
      {plural(meta.fx_missing, 'amount')} missing: no exchange rate to {meta.currency} from{' '}
      {missingText(meta.fx_missing_rates)}. Figures include only the other amounts, and show “–” if there are
      none. Enter the rate, or ask the operator to configure a source of rates (<code>FX_RATES_SOURCE</code>).{' '}
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

/** Notices about processing and accounts that are behind, and the last day with data. */
export function DataThrough({
  freshness,
  sources = [],
}: {
  freshness: Freshness
  sources?: readonly string[]
}) {
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
    .map(([currency, rows]) => {
      const days = rows.map(({ day }) => day).sort()
      const [first, last] = [days[0]!, days.at(-1)!]
      return `${currency} (${first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`})`
    })
    .join(', ')
}
