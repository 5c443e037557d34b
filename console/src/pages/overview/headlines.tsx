import type { DataOf, getOverview } from '@whence/sdk'
import { costPerPayment, knownSpend, money, ratio, wholeMoney } from '../../format/numbers.ts'
import { Delta } from '../../report/delta.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stat } from '../../ui/stat.tsx'

type Totals = DataOf<typeof getOverview>['totals']

type Figure = {
  label: string
  /** How the figure is computed, so that no two are confused. */
  rule: string
  select: (totals: Totals) => number | null
  text: (value: number | null, currency: string) => string
  lowerIsBetter?: boolean
  neutral?: boolean
}

const figures: readonly Figure[] = [
  {
    label: 'Spend',
    rule: 'All ad accounts',
    select: ({ spend }) => knownSpend(spend),
    text: wholeMoney,
    neutral: true,
  },
  {
    label: 'Revenue',
    rule: 'All cash less refunds, credited or not',
    select: ({ revenue }) => revenue,
    text: wholeMoney,
  },
  {
    label: 'Total ROAS',
    rule: 'Revenue ÷ spend',
    select: (totals) => totals.total_roas,
    text: ratio,
  },
  {
    label: 'Credited to ads',
    rule: 'The part of revenue that the model credits to ads',
    select: (totals) => totals.credited_revenue,
    text: wholeMoney,
  },
  { label: 'Ad ROAS', rule: 'Credited to ads ÷ spend', select: ({ roas }) => roas, text: ratio },
  {
    label: 'CAC',
    rule: 'Spend ÷ payments credited to ads',
    select: costPerPayment,
    text: money,
    lowerIsBetter: true,
  },
]

export function Headlines({
  totals,
  before,
  days,
  currency,
}: {
  totals: Totals | undefined
  before: Totals | undefined
  /** Length of the period and of the previous one. */
  days: number
  currency: string
}) {
  return (
    <dl className="grid-stats">
      {figures.map(({ label, rule, select, text, lowerIsBetter, neutral }) => (
        <Stat
          key={label}
          label={label}
          title={rule}
          value={totals ? text(select(totals), currency) : <Skeleton width={110} height={32} />}
          detail={
            <>
              {totals && before ? (
                <Delta
                  now={select(totals)}
                  before={select(before)}
                  lowerIsBetter={lowerIsBetter ?? false}
                  neutral={neutral ?? false}
                  period={`previous ${days === 1 ? 'day' : `${days} days`}`}
                />
              ) : null}
              <span className="sub">{rule}</span>
            </>
          }
        />
      ))}
    </dl>
  )
}
