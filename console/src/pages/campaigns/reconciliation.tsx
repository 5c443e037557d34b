import { useProfileContext } from '../../api/profile.ts'
import { money, plural } from '../../format/numbers.ts'
import type { Level } from '../../names/levels.ts'
import type { ReportMeta } from '../../report/freshness.tsx'
import { Icon } from '../../ui/icon.tsx'

const nouns: Record<Level, string> = { campaign: 'campaigns', ad_set: 'ad sets', ad: 'ads' }

/** Spells out the sum: credited plus unattributed revenue is all revenue. */
export function Reconciliation({ meta, level }: { meta: ReportMeta; level: Level }) {
  const { profile } = useProfileContext()
  const { total, credited, unattributed, delta, left_out } = meta.reconciliation
  const amount = (value: number) => <strong>{money(value, profile.currency)}</strong>
  return (
    <p className="reconciliation">
      <Icon name={delta === 0 && left_out === 0 ? 'check' : 'alert'} size={16} />
      <span>
        {amount(credited)} credited to {nouns[level]} + {amount(unattributed)} unattributed = {amount(total)},{' '}
        {left_out === 0
          ? `all revenue of ${profile.name} in these days.`
          : `revenue of ${profile.name} in these days, without ${plural(left_out, 'payment or refund', 'payments and refunds')} that ${left_out === 1 ? 'has' : 'have'} no exchange rate.`}{' '}
        Difference {amount(delta)}. Lookback: {meta.lookback_days} days.
      </span>
    </p>
  )
}
