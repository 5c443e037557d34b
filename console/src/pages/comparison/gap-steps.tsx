import { Link } from '@tanstack/react-router'
import { type DataOf, explainPlatformGap } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money, plural, SIGNED } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import type { Level } from '../../names/levels.ts'
import { useReport } from '../../report/use-report.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'

type Step = DataOf<typeof explainPlatformGap>['steps'][number]

const reasons: Record<Step['kind'], string> = {
  not_seen: 'No click of this platform was recorded before the sale: an ad view, or lost tracking',
  untagged_click: 'The click had no ad id',
  platform_modelled_or_delayed: 'Estimated or not yet reported by the platform',
  unexplained: 'Not explained',
  not_comparable: 'Money that cannot be compared: the platform values sales in another way',
  different_day: 'Counted on another day: the platform uses the day of the click',
  outside_our_lookback: 'The click is older than the lookback',
  claimed_by_two_platforms: 'Another platform claims the same sale',
  credited_elsewhere: 'The model credits another visit',
  outside_platform_window: 'The platform no longer counts a sale this long after the click',
  refunded: 'Refunds',
  currency: 'No exchange rate',
}

const FIRST_SALES = 10
const MOST_SALES = 1000

/** Steps from the platform's count to ours, each with its sales. */
export function GapSteps({ platform, level }: { platform: string; level: Level }) {
  const { profile } = useProfileContext()
  const { query } = useReport()
  const [examples, setExamples] = useState(FIRST_SALES)
  const explained = useProfileRead(
    explainPlatformGap,
    { query: { ...query, level, platform, examples } },
    { keep: true },
  )
  return (
    <Loaded query={explained}>
      {({ data }) => (
        <ol className="reasons" aria-label="From the platform’s count to ours">
          <li>
            <strong>{count(data.reported.conversions)}</strong> reported by the platform
          </li>
          {data.steps.map((step) => (
            <li key={step.kind}>
              <strong>{count(step.conversions, SIGNED)}</strong> {reasons[step.kind]}
              {step.value === 0 ? null : ` (${money(step.value, profile.currency)})`}{' '}
              <Badge>{step.label === 'measured' ? 'Measured' : 'Inferred'}</Badge>
              {step.examples.length === 0 ? null : (
                <details>
                  <summary>
                    {step.label === 'measured'
                      ? plural(step.sales, 'sale')
                      : `${plural(step.sales, 'candidate')} for ${count(Math.abs(step.conversions))}`}
                  </summary>
                  {step.label === 'measured' ? null : (
                    <p className="sub">
                      Sales that may be meant; which of them the platform counts is unknown.
                    </p>
                  )}
                  <ul>
                    {step.examples.map((sale) => (
                      <li key={sale.conversion_id}>
                        <Link
                          to="/p/$profileId/why/$conversionId"
                          params={{ profileId: profile.id, conversionId: sale.conversion_id }}
                        >
                          {instantText(sale.occurred_at, profile.timezone)}
                        </Link>{' '}
                        {money(sale.value, profile.currency)}
                      </li>
                    ))}
                  </ul>
                  {step.examples.length < Math.min(step.sales, MOST_SALES) ? (
                    <Button small onClick={() => setExamples(MOST_SALES)}>
                      {step.sales > MOST_SALES
                        ? `Show the first ${count(MOST_SALES)}`
                        : `Show all ${count(step.sales)}`}
                    </Button>
                  ) : null}
                </details>
              )}
            </li>
          ))}
          <li>
            <strong>{count(data.credited.conversions)}</strong> credited in Whence
          </li>
        </ol>
      )}
    </Loaded>
  )
}
