import { Link } from '@tanstack/react-router'
import { listCampaignConversions } from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { useRead } from '../../api/queries.ts'
import { count, money, plural } from '../../format/numbers.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { nameOf } from './creative-card.tsx'
import { PercentileBar, Score } from './score.tsx'
import { Thumbnail } from './thumbnail.tsx'
import type { Creative, Window } from './use-board.ts'
import {
  confidenceWords,
  evidenceWords,
  fatigueWords,
  gradeWords,
  layerText,
  layerWords,
  learnedText,
  peerGroupText,
  share,
  stages,
} from './words.ts'

/** Explains a score: its parts, forecasts and the latest credited conversions. */
export function ScoreDetails({ ad, asOf, onClose }: { ad: Creative; asOf: string; onClose: () => void }) {
  const stage = stages[ad.maturity_stage]
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={nameOf(ad)}
      note={`Compared with ${plural(ad.cohort_n_ads - 1, 'similar ad')}: ${peerGroupText(ad.cohort_key)}.`}
    >
      <div className="creative-summary">
        <Thumbnail ad={ad} />
        <div>
          <div className="creative-summary-head">
            <Score ad={ad} />
            <Link
              to="/p/$profileId/campaigns"
              params={{ profileId: ad.profile_id }}
              search={{ ad: ad.ad_external_id }}
              className={buttonClass()}
            >
              Open the ad
            </Link>
          </div>
          <p>
            <strong>{stage.label}.</strong> {stage.rule}
            {ad.evidence === null ? '' : evidenceWords[ad.evidence]}
          </p>
          <p className="muted small">
            The score is the weighted mean of the percentiles below; sales weigh most, and 50 is average.
            While an ad has little data, its figures are pulled towards those of similar ads.
          </p>
        </div>
      </div>
      <section className="stack" aria-label="Score breakdown">
        <h3>Score breakdown</h3>
        <ul className="creative-layers">
          {ad.layer_percentiles.map((layer) => (
            <li key={layer.layer}>
              <span>
                {layerText(layer)}
                <span className="sub">
                  {layerWords[layer.layer].rule} {sentence(confidenceWords[layer.sample_confidence])}.
                </span>
              </span>
              <PercentileBar layer={layer} />
            </li>
          ))}
        </ul>
      </section>
      <section className="stack" aria-label="Forecast">
        <h3>Forecast</h3>
        <Outlook ad={ad} />
      </section>
      <Latest ad={ad} asOf={asOf} />
    </Dialog>
  )
}

const chance = (value: number) => `${share(value)}`

export const outlook: { label: string; rule: string; text: (ad: Creative) => string }[] = [
  {
    label: 'Fatigue',
    rule: 'Its click rate compared with its usual level, after removing what affected all similar ads that day. A false alarm happens less than once a year per ad.',
    text: (ad) => learnedText(ad.fatigue_risk_tier, (tier) => fatigueWords[tier].label),
  },
  {
    label: 'In the top 25% next week',
    rule: 'Learned from past weeks, and shown only while it beats a guess on weeks it was not trained on.',
    text: (ad) => learnedText(ad.top_performer_likelihood, chance),
  },
  {
    label: 'Paused within 30 days',
    rule: 'How often similar ads were paused.',
    text: (ad) => learnedText(ad.hazard_30d_pause, chance),
  },
  {
    label: 'Clicks fall by a third within 30 days',
    rule: 'How often this happened to similar ads.',
    text: (ad) => learnedText(ad.hazard_30d_degradation, chance),
  },
  {
    label: 'Remaining days',
    rule: 'Half of the similar ads that ran this long ran longer still.',
    text: (ad) => learnedText(ad.expected_lifespan_days, (days) => `About ${count(days)}`),
  },
  {
    label: 'Evidence',
    rule: 'What the score is based on.',
    text: (ad) => gradeWords[ad.truth_grade],
  },
]

function Outlook({ ad }: { ad: Creative }) {
  return (
    <dl className="creative-outlook">
      {outlook.map(({ label, rule, text }) => (
        <div key={label}>
          <dt>
            {label}
            <span className="sub">{rule}</span>
          </dt>
          <dd>{text(ad)}</dd>
        </div>
      ))}
    </dl>
  )
}

const windowDays: Record<Window, number> = { '7d': 7, '14d': 14, '28d': 28, lifetime: 366 }

/** The newest conversions credited to the ad, each linked to its explanation. */
function Latest({ ad, asOf }: { ad: Creative; asOf: string }) {
  const from = addDays(asOf, 1 - windowDays[ad.score_window])
  const range = { from, to: asOf, preset: undefined, model: 'last_touch' as const }
  const latest = useRead(listCampaignConversions, {
    params: { id: ad.ad_external_id },
    query: { profile_id: ad.profile_id, date_from: from, date_to: asOf, model: range.model, limit: 3 },
  })
  return (
    <section className="stack" aria-label="Latest conversions">
      <h3>Latest credited conversions</h3>
      <Loaded query={latest}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">None in these days.</p>
          ) : (
            <ul className="creative-latest">
              {data.map((row) => (
                <li key={row.refund_id ?? row.conversion_id}>
                  <Link
                    to="/p/$profileId/why/$conversionId"
                    params={{ profileId: ad.profile_id, conversionId: row.conversion_id }}
                    search={{ ...range, ad: ad.ad_external_id }}
                  >
                    Why: {sentence(row.outcome_type)}
                  </Link>
                  <span className="muted">{instantText(row.occurred_at)}</span>
                  <span>{money(row.value, row.currency ?? ad.currency)}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
