import { Link } from '@tanstack/react-router'
import {
  applyRecommendation,
  type DataOf,
  dismissRecommendation,
  listRecommendations,
  undoRecommendation,
} from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { money } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Stat } from '../../ui/stat.tsx'

type Row = DataOf<typeof listRecommendations>[number]

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
/** Results of earlier recommendations of this kind. */
function trackRecord({ track_record: { applied, not_applied: notApplied } }: Row) {
  const scored = applied.scored + notApplied.scored
  const parts = [
    applied.scored > 0 ? `${applied.as_predicted} of ${applied.scored} applied` : null,
    notApplied.scored > 0 ? `${notApplied.turned_out_right} of ${notApplied.scored} not applied` : null,
  ].filter((part) => part !== null)
  return {
    value:
      scored === 0 ? 'None yet' : `${applied.as_predicted + notApplied.turned_out_right} of ${scored} right`,
    detail: scored === 0 ? 'of this kind checked so far' : parts.join(', '),
  }
}

const metrics = { cost_per_outcome: 'cost per outcome', outcomes_per_day: 'outcomes a day' } as const

export function RecommendationCard({ row }: { row: Row }) {
  const { expected_effect: expected, prediction } = row
  const record = trackRecord(row)
  return (
    <Card
      title={titles[row.kind](row.subject.name)}
      note={<Subject row={row} />}
      actions={<Actions row={row} />}
    >
      <dl className="grid-stats advice">
        <Stat
          label={row.subject.level === 'ad' ? 'Better than similar ads' : 'Likely right'}
          value={`${Math.floor(row.confidence * 100)}%`}
          detail={
            row.subject.level === 'ad'
              ? 'probability, before its clicks fell'
              : 'by last touch, given how much results vary from day to day'
          }
        />
        {expected ? (
          <Stat
            label={`Expected ${metrics[expected.metric]}`}
            value={`${figure(expected.metric, expected.low, row.currency)} – ${figure(expected.metric, expected.high, row.currency)}`}
            detail="in 8 of 10 such cases"
          />
        ) : null}
        <Stat label="Earlier recommendations" {...record} />
      </dl>
      {row.action.steps.length > 0 ? (
        <p>
          <strong>Change at the platform: </strong>
          {row.action.steps.map((step) => stepText(step, row.currency)).join('; ')}
        </p>
      ) : null}
      <ul className="reasons">
        {row.evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {expected ? <p className="small muted">{expected.basis}</p> : null}
      {prediction ? (
        <p>
          <strong>Result: </strong>
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

/** Link to the campaign or ad, by its id because names are not unique. */
function Subject({ row: { subject, status, expires_at } }: { row: Row }) {
  const { profile } = useProfileContext()
  const search = subject.level === 'ad' ? { ad: subject.id } : { campaign: subject.id }
  return (
    <>
      <Link to="/p/$profileId/campaigns" params={{ profileId: profile.id }} search={search}>
        {subject.level === 'ad' ? 'Ad' : 'Campaign'} {subject.platform_id}
      </Link>
      {status === 'open' ? ` · valid until ${dayText(expires_at.slice(0, 10))}` : ''}
    </>
  )
}

function Actions({ row }: { row: Row }) {
  const { workspace } = useProfileContext()
  const [confirming, setConfirming] = useState<'apply' | 'undo' | null>(null)
  const apply = useWrite(applyRecommendation, [listRecommendations])
  const undo = useWrite(undoRecommendation, [listRecommendations])
  const dismiss = useWrite(dismissRecommendation, [listRecommendations])
  const input = { params: { workspaceId: workspace.id, id: row.id } }
  const close = () => setConfirming(null)
  if (row.status === 'applied')
    return (
      <>
        <Button small onClick={() => setConfirming('undo')}>
          Undo
        </Button>
        {confirming === 'undo' ? (
          <Confirm
            title="Undo this change?"
            action="Undo"
            onClose={close}
            onConfirm={() => undo.mutateAsync(input)}
          >
            {row.reverts_with
              .map((step) =>
                step.write === 'pause' ? `${step.name} runs again` : stepText(step, row.currency),
              )
              .join('; ')}
            . If it was changed at the platform since, that change is kept and nothing is undone.
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
        <Button small kind="primary" onClick={() => setConfirming('apply')}>
          Apply
        </Button>
      ) : null}
      {confirming === 'apply' ? (
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
