import { Link } from '@tanstack/react-router'
import { costPerPayment, money, percent, ratio, wholeMoney } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Reasons, Score } from './score.tsx'
import { Thumbnail } from './thumbnail.tsx'
import type { Creative } from './use-board.ts'
import { fatigueWords, formatName, missingText, stages } from './words.ts'

export const nameOf = (ad: Creative) => ad.ad_name ?? ad.ad_external_id

/** Link to the ad's page. */
export function AdLink({ ad, children }: { ad: Creative; children: React.ReactNode }) {
  return (
    <Link
      to="/p/$profileId/campaigns"
      params={{ profileId: ad.profile_id }}
      search={{ ad: ad.ad_external_id }}
      className="name-link"
    >
      {children}
    </Link>
  )
}

export function FatigueBadge({ ad }: { ad: Creative }) {
  const { value, reason } = ad.fatigue_risk_tier
  if (value === null)
    return (
      <span className="small muted" title={`Fatigue is not evaluated: ${missingText(reason)}`}>
        Fatigue not evaluated
      </span>
    )
  const { label, tone } = fatigueWords[value]
  return <Badge tone={tone}>{label}</Badge>
}

export function CreativeCard({
  ad,
  rank,
  withProfile,
  isSelected,
  canSelect,
  onSelect,
  onOpen,
}: {
  ad: Creative
  rank: number
  withProfile: boolean
  isSelected: boolean
  canSelect: boolean
  onSelect: () => void
  onOpen: () => void
}) {
  const stage = stages[ad.maturity_stage]
  const where = [withProfile ? ad.profile_name : null, ad.campaign_name].filter(Boolean)
  return (
    <li className={isSelected ? 'creative picked' : 'creative'}>
      <div className="creative-media">
        <Thumbnail ad={ad} />
        <span className="creative-rank">{rank}</span>
        <Score ad={ad} />
      </div>
      <div className="creative-body">
        <div>
          <h3>
            <AdLink ad={ad}>{nameOf(ad)}</AdLink>
          </h3>
          <span className="sub">{where.join(' · ')}</span>
        </div>
        <div className="toolbar">
          <span title={stage.rule}>
            <Badge tone={stage.tone}>{stage.label}</Badge>
          </span>
          <FatigueBadge ad={ad} />
          {ad.creative_format ? <Badge>{formatName(ad.creative_format)}</Badge> : null}
        </div>
        <Reasons ad={ad} />
        <dl className="creative-figures">
          <Figure label="Spend" value={wholeMoney(ad.spend, ad.currency)} />
          <Figure label="Revenue" value={wholeMoney(ad.attributed_revenue, ad.currency)} />
          <Figure label="ROAS" value={ratio(ad.roas)} />
          <Figure label="CTR" value={percent(ad.ctr, 2, 2)} title="Link clicks per impression" />
          <Figure label="CAC" value={money(costPerPayment(ad), ad.currency)} title="Spend per payment" />
        </dl>
      </div>
      <div className="creative-foot">
        <label className="creative-pick">
          <input
            type="checkbox"
            checked={isSelected}
            disabled={!isSelected && !canSelect}
            onChange={onSelect}
          />
          Compare<span className="sr-only"> {nameOf(ad)}</span>
        </label>
        <Button small onClick={onOpen}>
          Why this score<span className="sr-only">: {nameOf(ad)}</span>
        </Button>
      </div>
    </li>
  )
}

function Figure({ label, value, title }: { label: string; value: string; title?: string }) {
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
