import { count } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Backtest } from './use-board.ts'
import { missingText } from './words.ts'

const names = {
  top: 'Which ads will be in the top 25% next week',
  pause: 'Which ads will be paused',
  degradation: 'Which ads will lose clicks',
} as const

/** Backtests of the forecasts on weeks outside their training data, and whether each is shown. */
export function Forecasts({ model }: { model: Record<keyof typeof names, Backtest> }) {
  return (
    <Card
      title="How accurate the forecasts are"
      note="Each forecast is tested daily on past weeks it was not trained on. It is shown only while it beats both the average and “same as last week”."
    >
      <ul className="creative-latest">
        {(Object.keys(names) as (keyof typeof names)[]).map((question) => (
          <li key={question}>
            <span>
              {names[question]}
              <span className="sub">{backtestText(model[question])}</span>
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

function backtestText(backtest: Backtest): string {
  const sample = `${count(backtest.ad_weeks)} ad-weeks with ${count(backtest.positives)} cases`
  if (backtest.status === 'served' && backtest.brier !== null)
    return `Tested on ${sample}: mean squared error ${backtest.brier.toFixed(3)}, for the average alone ${backtest.brier_base_rate?.toFixed(3)}.`
  if (backtest.reason === 'insufficient_history')
    return `Not enough history yet: ${sample}; it needs ${MIN_AD_WEEKS} with ${MIN_POSITIVES}.`
  return `Tested on ${sample}: ${missingText(backtest.reason)}.`
}
