import { createGoal, listGoals, updateGoal } from '@whence/sdk'
import { useState } from 'react'
import { useProfileWrite } from '../../api/profile.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Goal } from './goal.ts'

const kinds = [
  { value: 'cash', label: 'Cash: counts for revenue, ROAS and CAC' },
  { value: 'pipeline', label: 'Pipeline: a step towards a sale' },
  { value: 'gross', label: 'Gross: a value that is not paid yet' },
]

/** Converts typed text to a key that the API accepts. */
const keyOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .replace(/_$/, '')
    .slice(0, 64)

export function GoalForm({ goal, onClose }: { goal: Goal | undefined; onClose: () => void }) {
  const { values, bind } = useFields({
    display_name: goal?.display_name ?? '',
    events: goal?.source_event_names.join(', ') ?? '',
    outcome_type: goal?.outcome_type ?? '',
    revenue_type: goal?.revenue_type ?? 'pipeline',
  })
  const [eligible, setEligible] = useState(goal?.attribution_eligible ?? true)
  const create = useProfileWrite(createGoal, [listGoals])
  const update = useProfileWrite(updateGoal, [listGoals])
  const toast = useToast()
  const done = {
    onSuccess: () => {
      toast('Goal saved. Past events are being processed again')
      onClose()
    },
  }
  const submit = () => {
    const body = {
      display_name: values.display_name,
      source_event_names: values.events
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      outcome_type: keyOf(values.outcome_type || values.display_name),
      revenue_type: values.revenue_type as Goal['revenue_type'],
      attribution_eligible: eligible,
    }
    if (goal) update.mutate({ params: { id: goal.id }, body }, done)
    else create.mutate({ body: { ...body, conversion_key: keyOf(values.display_name) } }, done)
  }
  return (
    <Dialog open onClose={onClose} title={goal ? `Goal ${goal.display_name}` : 'New goal'}>
      <Form action="Save goal" write={goal ? update : create} onSubmit={submit} onCancel={onClose}>
        <Field label="Name" {...bind('display_name')} required />
        <Field
          label="Event names"
          hint="Separated by commas, as the tracker or your server sends them: lead_created, form_sent"
          {...bind('events')}
          required
        />
        <Field
          label="Outcome"
          hint="Its name in reports and the API, such as lead_created. If empty, it is built from the goal’s name."
          {...bind('outcome_type')}
        />
        <Choice label="Counts as" options={kinds} {...bind('revenue_type')} />
        <Check
          label="Credit it to ads"
          checked={eligible}
          onChange={(event) => setEligible(event.target.checked)}
        />
      </Form>
    </Dialog>
  )
}
