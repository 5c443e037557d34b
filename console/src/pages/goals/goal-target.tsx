import { listGoals, setGoalTarget } from '@whence/sdk'
import { useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { count, money, ratio } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Goal } from './goal.ts'

type Target = NonNullable<Goal['target']>

const states: Record<Target['status'], { tone: Tone; label: string }> = {
  ahead: { tone: 'good', label: 'Ahead' },
  on_track: { tone: 'good', label: 'On track' },
  behind: { tone: 'bad', label: 'Behind' },
  too_early: { tone: 'plain', label: 'Too early' },
  unknown: { tone: 'warn', label: 'Exchange rate missing' },
}

const textOf = (value: number | null, metric: Target['metric'], currency: string) =>
  metric === 'count' ? count(value) : metric === 'roas' ? ratio(value) : money(value, currency)

/** Progress towards the target, with a mark at the expected value for today. */
export function TargetProgress({ target }: { target: Target }) {
  const { profile } = useProfileContext()
  const { metric, period, actual, expected, through } = target
  const text = (value: number | null) => textOf(value, metric, profile.currency)
  const isRate = metric === 'cac' || metric === 'roas'
  const part = (value: number | null) =>
    `${Math.min(100, Math.max(0, ((value ?? 0) / target.target) * 100))}%`
  const { tone, label } = states[target.status]
  return (
    <span className="target">
      <span>
        <strong>{text(actual)}</strong> {isRate ? '· target' : 'of'} {text(target.target)}{' '}
        {metric === 'cac' ? 'each ' : metric === 'roas' ? 'value ÷ ad spend ' : ''}this {period}{' '}
        <Badge tone={tone}>{label}</Badge>
      </span>
      {isRate ? null : (
        <span className={`target-bar ${tone}`} aria-hidden="true">
          <span style={{ width: part(actual) }} />
          {expected === null ? null : <i style={{ left: part(expected) }} />}
        </span>
      )}
      <span className="sub">
        {through === null
          ? 'No closed day yet'
          : isRate
            ? `Up to ${dayText(through)}`
            : `${text(expected)} expected by ${dayText(through)}`}
      </span>
    </span>
  )
}

const periods = [
  { value: 'month', label: 'Calendar month' },
  { value: 'week', label: 'Week from Monday' },
]

export function TargetForm({ goal, onClose }: { goal: Goal; onClose: () => void }) {
  const { profile } = useProfileContext()
  const save = useProfileWrite(setGoalTarget, [listGoals])
  const toast = useToast()
  const { values, bind } = useFields({
    metric: goal.target?.metric ?? 'count',
    period: goal.target?.period ?? 'month',
    target: String(goal.target?.target ?? ''),
  })
  const submit = (target: number | null) =>
    save.mutate(
      {
        params: { id: goal.id },
        body: {
          metric: values.metric as Target['metric'],
          period: values.period as Target['period'],
          target,
        },
      },
      {
        onSuccess: () => {
          toast(target === null ? 'Target removed' : 'Target saved')
          onClose()
        },
      },
    )
  const metrics = [
    { value: 'count', label: 'Number of conversions' },
    { value: 'value', label: `Value, in ${profile.currency}` },
    { value: 'cac', label: `Ad spend per conversion, in ${profile.currency}` },
    { value: 'roas', label: 'Value of all conversions ÷ ad spend' },
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Target for ${goal.display_name}`}
      note="The expected value for each day follows the weekdays of the previous 8 weeks."
    >
      <Form
        action="Save target"
        write={save}
        onSubmit={() => submit(Number(values.target))}
        onCancel={onClose}
        detail={goal.target ? <Button onClick={() => submit(null)}>Remove target</Button> : null}
      >
        <Choice label="Measure" options={metrics} {...bind('metric')} />
        <div className="form-row">
          <Field label="Target" type="number" min="0" step="any" required {...bind('target')} />
          <Choice label="Per" options={periods} {...bind('period')} />
        </div>
      </Form>
    </Dialog>
  )
}
