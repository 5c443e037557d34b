import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import type { getOverview } from '@whence/server/features/reports/contract.ts'
import { money, ratio, wholeMoney } from '../../format/numbers.ts'
import { Delta } from '../../report/delta.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stat } from '../../ui/stat.tsx'

type Totals = ReplyOf<typeof getOverview>['totals']

export function Headlines({
  totals,
  before,
  currency,
}: {
  totals: Totals | undefined
  before: Totals | undefined
  currency: string
}) {
  const figures: {
    label: string
    key: 'spend' | 'revenue' | 'credited_revenue' | 'roas' | 'cac'
    text: (value: number | null) => string
    lowerIsBetter?: boolean
    neutral?: boolean
  }[] = [
    { label: 'Spend', key: 'spend', text: (value) => wholeMoney(value, currency), neutral: true },
    { label: 'Revenue', key: 'revenue', text: (value) => wholeMoney(value, currency) },
    { label: 'Credited to ads', key: 'credited_revenue', text: (value) => wholeMoney(value, currency) },
    { label: 'ROAS', key: 'roas', text: ratio },
    { label: 'CAC', key: 'cac', text: (value) => money(value, currency), lowerIsBetter: true },
  ]
  return (
    <dl className="grid-stats">
      {figures.map(({ label, key, text, lowerIsBetter, neutral }) => (
        <Stat
          key={key}
          label={label}
          value={totals ? text(totals[key]) : <Skeleton width={110} height={32} />}
          beside={
            totals && before ? (
              <Delta
                now={totals[key]}
                before={before[key]}
                lowerIsBetter={lowerIsBetter ?? false}
                neutral={neutral ?? false}
              />
            ) : (
              ' '
            )
          }
        />
      ))}
    </dl>
  )
}
