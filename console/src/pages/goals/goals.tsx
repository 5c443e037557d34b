import { deleteGoal, listGoals } from '@whence/server/features/facts/conversions/contract.ts'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import type { Goal } from './goal.ts'
import { GoalForm } from './goal-form.tsx'
import { TargetForm, TargetProgress } from './goal-target.tsx'

/** Which events count as which outcome. */
export function Goals() {
  const goals = useProfileRead(listGoals)
  const remove = useProfileWrite(deleteGoal, [listGoals])
  const [editing, setEditing] = useState<Goal | 'new' | null>(null)
  const [aiming, setAiming] = useState<Goal | null>(null)
  const [leaving, setLeaving] = useState<Goal | null>(null)
  return (
    <Page
      title="Goals"
      note="Which events count as a lead, an appointment or a payment. A change reads past events again."
      actions={
        <Button kind="primary" onClick={() => setEditing('new')}>
          <Icon name="plus" size={16} />
          New goal
        </Button>
      }
    >
      <Card flush>
        <Loaded query={goals}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="overview" title="No goals yet">
                Without a goal no event counts as an outcome.
              </Empty>
            ) : (
              <ul className="list">
                {data.map((goal) => (
                  <li key={goal.id}>
                    <span className="grow">
                      <strong>{goal.display_name}</strong>
                      <span className="sub">
                        {sentence(goal.outcome_type)} · events {goal.source_event_names.join(', ')}
                      </span>
                    </span>
                    {goal.target ? <TargetProgress target={goal.target} /> : null}
                    <FiredCount fired={goal.fired} />
                    <span className="goal-kind">
                      <Badge tone={goal.revenue_type === 'cash' ? 'good' : 'plain'}>
                        {sentence(goal.revenue_type)}
                      </Badge>
                    </span>
                    {goal.attribution_eligible ? null : <Badge>Not credited to ads</Badge>}
                    <span className="toolbar">
                      <Button
                        small
                        onClick={() => setAiming(goal)}
                        aria-label={`Target of ${goal.display_name}`}
                      >
                        Target
                      </Button>
                      <Button small onClick={() => setEditing(goal)} aria-label={`Edit ${goal.display_name}`}>
                        Edit
                      </Button>
                      <Button
                        small
                        onClick={() => setLeaving(goal)}
                        aria-label={`Delete ${goal.display_name}`}
                      >
                        Delete
                      </Button>
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {editing ? (
        <GoalForm goal={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />
      ) : null}
      {aiming ? <TargetForm goal={aiming} onClose={() => setAiming(null)} /> : null}
      {leaving ? (
        <Confirm
          title={`Delete ${leaving.display_name}?`}
          action="Delete goal"
          onConfirm={() => remove.mutateAsync({ params: { id: leaving.id } })}
          onClose={() => setLeaving(null)}
        >
          Its conversions leave the reports. The events stay and can be counted by another goal.
        </Confirm>
      ) : null}
    </Page>
  )
}

function FiredCount({ fired }: { fired: Goal['fired'] }) {
  if (!fired) return <span className="sub fired">Reports leave it out</span>
  return (
    <span className="fired">
      <strong>{count(fired.last_28_days)}</strong> in 28 days
      <span className="sub">
        {fired.last_day === null ? 'Not counted yet' : `Last on ${dayText(fired.last_day, true)}`}
        {fired.shared ? ', with goals of the same outcome' : ''}
      </span>
    </span>
  )
}
