import { count } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Backtest } from './use-board.ts'
import { missingText } from './words.ts'

const names = {
  top: 'Which ads will be in the best quarter next week',
  pause: 'Which ads will be paused',
  degradation: 'Which ads’ clicks will fall',
} as const

/** Whether the forecasts have earned to be shown, by how they did on weeks that they had not seen. */
export function Forecasts({ model }: { model: Record<keyof typeof names, Backtest> }) {
  return (
    <Card
      title="How accurate the forecasts are"
      note="Each is tested every day on past weeks that it has not seen, and shown only while it beats both the average and “as last week”."
    >
      <ul className="creative-latest">
        {(Object.keys(names) as (keyof typeof names)[]).map((question) => (
          <li key={question}>
            <span>
              {names[question]}
              <span className="sub">{trialText(model[question])}</span>
            </span>
            <Badge tone={model[question].status === 'served' ? 'good' : 'plain'}>
              {model[question].status === 'served' ? 'Shown' : 'Withheld'}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const MIN_AD_WEEKS = 200
const MIN_POSITIVES = 30

function trialText(trial: Backtest): string {
  const seen = `${count(trial.ad_weeks)} ad-weeks with ${count(trial.positives)} cases`
  if (trial.status === 'served' && trial.brier !== null)
    return `Tried on ${seen}: mean squared error ${trial.brier.toFixed(3)}, the average alone ${trial.brier_base_rate?.toFixed(3)}.`
  if (trial.reason === 'insufficient_history')
    return `Not enough history yet: ${seen}; it takes ${MIN_AD_WEEKS} with ${MIN_POSITIVES}.`
  return `Tried on ${seen}: ${missingText(trial.reason)}.`
}
