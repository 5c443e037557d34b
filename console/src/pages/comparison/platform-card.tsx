import type { comparePlatforms, DataOf } from '@whence/sdk'
import { useState } from 'react'
import { changeText, count, money, NONE, plural, ratio } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { type Level, levelNouns } from '../../names/levels.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { GapSteps } from './gap-steps.tsx'

type Platform = DataOf<typeof comparePlatforms>['platforms'][number]

const bases: Record<string, string> = {
  '7d_click_1d_view': 'Counts conversions within 7 days of a click or 1 day of a view',
  conversion_action_settings: 'Counts by the conversion actions set up there',
  ad_group_settings: 'Counts by the attribution windows set in its ad groups',
  conversion_goal_settings: 'Counts by the conversion goals set up there',
  conversion_rule_settings: 'Counts by the conversion rules set up there',
  as_imported: 'As imported',
}

/** Two bars on one scale: the platform's figures and ours, for entities that both report. */
export function PlatformCard({
  platform,
  currency,
  level,
}: {
  platform: Platform
  currency: string
  level: Level
}) {
  const [isOpen, setOpen] = useState(false)
  const sides = platform.compared ?? platform
  const theirs = sides.platform_conversions ?? 0
  const highest = Math.max(theirs, sides.atribu_conversions, 1)
  const gap = sides.conversion_gap
  const valued = platform.compared?.valued_entities
  const elsewhere = platform.atribu_conversions - sides.atribu_conversions
  return (
    <Card
      title={providerName(platform.platform)}
      note={
        platform.delivery_through
          ? `${bases[platform.reported_basis] ?? sentence(platform.reported_basis)}. Through ${dayText(platform.delivery_through)}${platform.has_delivery ? '' : ', so none in these days'}.`
          : 'No ads ran up to these days'
      }
    >
      <div className="stack">
        <Side
          label="Platform"
          share={theirs / highest}
          conversions={count(sides.platform_conversions)}
          value={money(sides.platform_conversion_value, currency)}
          roas={platform.compared === null ? NONE : ratio(sides.platform_roas)}
          color="var(--chart-2)"
        />
        <Side
          label="Whence"
          share={sides.atribu_conversions / highest}
          conversions={count(sides.atribu_conversions)}
          value={money(sides.atribu_cash_revenue, currency)}
          roas={ratio(sides.atribu_roas)}
          color="var(--chart-1)"
        />
        <p className="small muted">
          {gap === null
            ? 'The platform reported no conversions to compare.'
            : gap === 0
              ? 'Both sides count the same.'
              : `Whence counts ${count(Math.abs(gap))} ${gap < 0 ? 'fewer' : 'more'} than the platform${sides.conversion_gap_pct === null ? '' : ` (${changeText(sides.conversion_gap_pct)})`}.`}
          {valued !== undefined && valued > 0 && valued < platform.compared!.entities
            ? ` Money is compared only where the platform reports a value: in ${count(valued)} of ${plural(platform.compared!.entities, levelNouns[level])}.`
            : ''}
          {platform.unassigned_conversions > 0
            ? ` ${count(platform.unassigned_conversions)} more came from paid clicks without an ad id (${money(platform.unassigned_cash_revenue, currency)}).`
            : ''}
          {elsewhere > 0
            ? ` ${count(elsewhere)} are credited where the platform reports no conversions and are not compared.`
            : ''}
        </p>
        {gap === null ? null : (
          <div>
            <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide the explanation' : 'Explain the gap'}
            </Button>
          </div>
        )}
        {isOpen ? <GapSteps platform={platform.platform} level={level} /> : null}
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
