import type { comparePlatforms } from '@whence/server/features/insights/reports/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { count, money, NONE, percent, ratio } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'

type Platform = ReplyOf<typeof comparePlatforms>['platforms'][number]

const bases: Record<string, string> = {
  '7d_click_1d_view': 'Counts conversions within 7 days of a click or 1 day of a view',
  conversion_action_settings: 'Counts by the conversion actions set up there',
  as_imported: 'As imported',
}

/** Two bars on one scale: the claim and the finding. */
export function PlatformCard({ platform, currency }: { platform: Platform; currency: string }) {
  const theirs = platform.platform_conversions ?? 0
  const most = Math.max(theirs, platform.atribu_conversions, 1)
  const gap = platform.conversion_gap
  return (
    <Card
      title={providerName(platform.platform)}
      note={
        platform.delivery_through
          ? `${bases[platform.reported_basis] ?? sentence(platform.reported_basis)}. Through ${dayText(platform.delivery_through)}${platform.has_delivery ? '' : ', so none in these days'}.`
          : 'No delivery up to these days'
      }
    >
      <div className="stack">
        <Side
          label="Platform"
          share={theirs / most}
          conversions={count(platform.platform_conversions)}
          value={money(platform.platform_conversion_value, currency)}
          roas={ratio(platform.platform_roas)}
          color="var(--chart-2)"
        />
        <Side
          label="Whence"
          share={platform.atribu_conversions / most}
          conversions={count(platform.atribu_conversions)}
          value={money(platform.atribu_cash_revenue, currency)}
          roas={ratio(platform.atribu_roas)}
          color="var(--chart-1)"
        />
        <p className="small muted">
          {gap === null
            ? 'The platform reported no conversions to compare.'
            : gap === 0
              ? 'Both sides count the same.'
              : `${gap < 0 ? 'Platform reports' : 'Whence finds'} ${count(Math.abs(gap))} more${platform.conversion_gap_pct === null ? '' : ` (${percent(Math.abs(platform.conversion_gap_pct))})`}.`}
          {platform.unassigned_conversions > 0
            ? ` ${count(platform.unassigned_conversions)} more came from paid clicks that named no ad (${money(platform.unassigned_cash_revenue, currency)}).`
            : ''}
        </p>
      </div>
    </Card>
  )
}

function Side({
  label,
  share,
  conversions,
  value,
  roas,
  color,
}: {
  label: string
  share: number
  conversions: string
  value: string
  roas: string
  color: string
}) {
  return (
    <div className="side">
      <span className="side-label">
        {label}
        <span>
          <strong>{conversions}</strong> conversions
        </span>
      </span>
      <span className="side-bar" aria-hidden="true">
        <span style={{ width: `${share * 100}%`, background: color }} />
      </span>
      <span className="small muted">
        {value === NONE ? 'No value reported' : `Value ${value}`} · ROAS {roas}
      </span>
    </div>
  )
}
