import {
  applyRecommendation,
  dismissRecommendation,
  listRecommendations,
  undoRecommendation,
} from '@whence/server/features/insights/recommendations/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { useState } from 'react'
import { usePlace } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { money } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'

type Row = ReplyOf<typeof listRecommendations>[number]

const titles: Record<Row['kind'], (name: string) => string> = {
  scale_winner: (name) => `Raise the budget of ${name}`,
  pause_underperformer: (name) => `Pause ${name}`,
  budget_reallocate_winners: (name) => `Move budget to ${name}`,
  creative_refresh_pre_fatigue: (name) => `Replace ${name} before it is fatigued`,
}

function stepText(step: Row['action']['steps'][number], currency: string): string {
  return step.write === 'pause'
    ? `Pause ${step.name}`
    : `${step.name}: ${money(step.from, currency)} → ${money(step.to, currency)} a day`
}

function figure(metric: string, value: number, currency: string): string {
  return metric === 'cost_per_outcome' ? money(value, currency) : value.toFixed(1)
}
/** How earlier advice of the same kind turned out. */
function trackRecordText({ track_record: { applied, not_applied: notApplied } }: Row): string {
  const parts = [
    applied.scored > 0
      ? `${applied.as_predicted} of ${applied.scored} applied ones ended as predicted`
      : null,
    notApplied.scored > 0
      ? `${notApplied.turned_out_right} of ${notApplied.scored} that were not applied turned out right`
      : null,
  ].filter((part) => part !== null)
  return parts.length === 0
    ? 'No earlier advice of this kind could be checked yet.'
    : `Earlier advice of this kind: ${parts.join('; ')}.`
}

const metrics = { cost_per_outcome: 'cost per outcome', outcomes_per_day: 'outcomes a day' } as const

export function RecommendationCard({ row }: { row: Row }) {
  const { expected_effect: expected, prediction } = row
  return (
    <Card
      title={titles[row.kind](row.subject.name)}
      note={`Probability ${Math.floor(row.confidence * 100)}%. ${trackRecordText(row)}${row.status === 'open' ? ` Valid until ${dayText(row.expires_at.slice(0, 10))}.` : ''}`}
      actions={<Actions row={row} />}
    >
      <ul className="reasons">
        {row.evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {row.action.steps.length > 0 ? (
        <p>
          <strong>What changes at the platform: </strong>
          {row.action.steps.map((step) => stepText(step, row.currency)).join('; ')}
        </p>
      ) : null}
      {expected ? (
        <p>
          <strong>What we expect: </strong>
          {figure(expected.metric, expected.low, row.currency)} to{' '}
          {figure(expected.metric, expected.high, row.currency)} {metrics[expected.metric]}, in 8 of 10 such
          cases. <span className="muted">{expected.basis}</span>
        </p>
      ) : null}
      {prediction ? (
        <p>
          <strong>What came: </strong>
          {prediction.observed === null
            ? 'no outcome'
            : figure(prediction.metric, prediction.observed, row.currency)}{' '}
          {prediction.held === null ? null : (
            <Badge tone={prediction.held ? 'good' : 'warn'}>
              {prediction.held ? 'As predicted' : 'Not as predicted'}
            </Badge>
          )}
        </p>
      ) : null}
    </Card>
  )
}

function Actions({ row }: { row: Row }) {
  const { workspace } = usePlace()
  const [asking, setAsking] = useState<'apply' | 'undo' | null>(null)
  const apply = useWrite(applyRecommendation, [listRecommendations])
  const undo = useWrite(undoRecommendation, [listRecommendations])
  const dismiss = useWrite(dismissRecommendation, [listRecommendations])
  const input = { params: { workspaceId: workspace.id, id: row.id } }
  const close = () => setAsking(null)
  if (row.status === 'applied')
    return (
      <>
        <Button small onClick={() => setAsking('undo')}>
          Undo
        </Button>
        {asking === 'undo' ? (
          <Confirm
            title="Put it back?"
            action="Undo"
            onClose={close}
            onConfirm={() => undo.mutateAsync(input)}
          >
            {row.reverts_with
              .map((step) =>
                step.write === 'pause' ? `${step.name} runs again` : stepText(step, row.currency),
              )
              .join('; ')}
            . Where somebody changed it at the platform since, theirs stays and nothing happens.
          </Confirm>
        ) : null}
      </>
    )
  if (row.status !== 'open') return null
  return (
    <>
      <Button small busy={dismiss.isPending} onClick={() => dismiss.mutate(input)}>
        Dismiss
      </Button>
      {row.action.steps.length > 0 ? (
        <Button small kind="primary" onClick={() => setAsking('apply')}>
          Apply
        </Button>
      ) : null}
      {asking === 'apply' ? (
        <Confirm
          title="Change this at the platform?"
          action="Apply"
          onClose={close}
          onConfirm={() => apply.mutateAsync(input)}
        >
          {row.action.steps.map((step) => stepText(step, row.currency)).join('; ')}. You can undo it
          afterwards.
        </Confirm>
      ) : null}
    </>
  )
}
