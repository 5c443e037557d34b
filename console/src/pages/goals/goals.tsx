import { deleteGoal, listGoals } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { count } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import type { Goal } from './goal.ts'
import { GoalForm } from './goal-form.tsx'
import { TargetForm, TargetProgress } from './goal-target.tsx'

/** Goals: which events count as which outcome. */
export function Goals() {
  const goals = useProfileRead(listGoals)
  const remove = useProfileWrite(deleteGoal, [listGoals])
  const [editing, setEditing] = useState<Goal | 'new' | null>(null)
  const [editingTarget, setEditingTarget] = useState<Goal | null>(null)
  const [deleting, setDeleting] = useState<Goal | null>(null)
  const columns: Column<Goal>[] = [
    {
      id: 'goal',
      label: 'Goal',
      value: (goal) => goal.display_name,
      cell: (goal) => (
        <>
          <strong>{goal.display_name}</strong>
          <span className="sub">
            {sentence(goal.outcome_type)} · events {goal.source_event_names.join(', ')}
          </span>
        </>
      ),
    },
    {
      id: 'fired',
      label: 'Last 28 days',
      phone: 'half',
      number: true,
      value: (goal) => goal.fired?.last_28_days ?? null,
      cell: (goal) => <FiredCount fired={goal.fired} />,
    },
    {
      id: 'target',
      label: 'Target',
      phone: 'wide',
      cell: (goal) =>
        goal.target ? <TargetProgress target={goal.target} /> : <span className="faint">No target</span>,
    },
    {
      id: 'kind',
      label: 'Counts as',
      phone: 'half',
      value: (goal) => goal.revenue_type,
      cell: (goal) => (
        <>
          <Badge tone={goal.revenue_type === 'cash' ? 'good' : 'plain'}>{sentence(goal.revenue_type)}</Badge>
          {goal.attribution_eligible ? null : <span className="sub">Not credited to ads</span>}
        </>
      ),
    },
    {
      id: 'actions',
      label: '',
      number: true,
      phone: 'wide',
      cell: (goal) => (
        <span className="row-buttons">
          <Button small onClick={() => setEditingTarget(goal)} aria-label={`Target of ${goal.display_name}`}>
            Target
          </Button>
          <Button small onClick={() => setEditing(goal)} aria-label={`Edit ${goal.display_name}`}>
            Edit
          </Button>
          <Button small onClick={() => setDeleting(goal)} aria-label={`Delete ${goal.display_name}`}>
            Delete
          </Button>
        </span>
      ),
    },
  ]
  return (
    <Page
      title="Goals"
      note="Which events count as a lead, an appointment or a payment. After a change, past events are processed again."
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
              <Empty
                icon="overview"
                title="No goals yet"
                actions={<Button onClick={() => setEditing('new')}>Add a goal</Button>}
              >
                Without a goal, no event counts as an outcome.
              </Empty>
            ) : (
              <DataTable label="Goals" columns={columns} rows={data} rowKey={(goal) => goal.id} cards />
            )
          }
        </Loaded>
      </Card>
      {editing ? (
        <GoalForm goal={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />
      ) : null}
      {editingTarget ? <TargetForm goal={editingTarget} onClose={() => setEditingTarget(null)} /> : null}
      {deleting ? (
        <Confirm
          title={`Delete ${deleting.display_name}?`}
          action="Delete goal"
          onConfirm={() => remove.mutateAsync({ params: { id: deleting.id } })}
          onClose={() => setDeleting(null)}
        >
          Its conversions are removed from reports. The events are kept, and another goal can count them.
        </Confirm>
      ) : null}
    </Page>
  )
}

function FiredCount({ fired }: { fired: Goal['fired'] }) {
  if (!fired) return <span className="sub">Not in reports</span>
  return (
    <>
      <strong>{count(fired.last_28_days)}</strong>
      <span className="sub">
        {fired.last_day === null ? 'Not counted yet' : `Last on ${dayText(fired.last_day, true)}`}
      </span>
      {fired.shared ? <span className="sub">Including goals of the same outcome</span> : null}
    </>
  )
}
