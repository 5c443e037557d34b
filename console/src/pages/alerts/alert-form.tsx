import { type Alert, createAlert, getDoctor, listAlerts, listCampaigns, updateAlert } from '@whence/sdk'
import { useProfileContext, useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { useReport } from '../../report/use-report.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AlertPreview } from './alert-preview.tsx'
import { type AlertCondition, metricNames } from './alert-text.ts'

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>

const metricOptions = [
  ...Object.entries(metricNames).map(([value, label]) => ({ value, label })),
  { value: 'finding', label: 'Data problems' },
]
/** Direction and comparison in one select. */
const whenOptions = [
  { value: 'below change', label: 'falls by more than' },
  { value: 'above change', label: 'rises by more than' },
  { value: 'below value', label: 'is below' },
  { value: 'above value', label: 'is above' },
]
const windowOptions = [
  { value: '1', label: 'One day' },
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
]

export function AlertForm({ alert, onClose }: { alert: Alert | undefined; onClose: () => void }) {
  const { profile } = useProfileContext()
  const { query } = useReport()
  const campaigns = useProfileRead(listCampaigns, { query: { ...query, limit: 100 } })
  const checks = useProfileRead(getDoctor)
  const create = useProfileWrite(createAlert, [listAlerts])
  const update = useProfileWrite(updateAlert, [listAlerts])
  const toast = useToast()
  const existing = alert?.condition
  const limit = existing?.kind === 'threshold' ? existing : undefined
  const { values, bind } = useFields({
    name: alert?.name ?? '',
    metric: existing?.kind === 'finding' ? 'finding' : (limit?.metric ?? 'revenue'),
    campaign: limit?.campaign_id ?? '',
    when: limit ? `${limit.direction} ${limit.comparison}` : 'below change',
    threshold: String(limit?.threshold ?? 30),
    window: String(limit?.window_days ?? 7),
    evidence: String(limit?.min_conversions ?? 10),
    check: existing?.kind === 'finding' ? (existing.check_id ?? '') : '',
  })
  const condition = toCondition(values)
  const done = {
    onSuccess: () => {
      toast('Alert saved')
      onClose()
    },
  }
  const submit = () => {
    const body = { name: values.name, condition }
    if (alert) update.mutate({ params: { id: alert.id }, body }, done)
    else create.mutate({ body }, done)
  }
  const isChange = values.when.endsWith('change')
  const unit = isChange ? '%' : ['roas', 'conversions'].includes(values.metric) ? '' : profile.currency
  return (
    <Dialog open onClose={onClose} title={alert ? `Alert ${alert.name}` : 'New alert'} wide>
      <Form action="Save alert" write={alert ? update : create} onSubmit={submit} onCancel={onClose}>
        <Field label="Name" placeholder="Revenue drops" required maxLength={120} {...bind('name')} />
        <div className="form-row">
          <Choice label="Watch" options={metricOptions} {...bind('metric')} />
          {values.metric === 'finding' ? (
            <Choice
              label="Check"
              options={[
                { value: '', label: 'Any problem' },
                ...(checks.data?.data.checks ?? []).map(({ id, question }) => ({
                  value: id,
                  label: question,
                })),
              ]}
              {...bind('check')}
            />
          ) : (
            <Choice
              label="For"
              options={[
                { value: '', label: 'The whole profile' },
                ...(campaigns.data?.data ?? []).map((row) => ({
                  value: row.campaign_id,
                  label: row.campaign_name ?? row.platform_id,
                })),
              ]}
              {...bind('campaign')}
            />
          )}
        </div>
        {values.metric === 'finding' ? null : (
          <>
            <div className="form-row">
              <Choice label="Alert when it" options={whenOptions} {...bind('when')} />
              <Field
                label={unit === '' ? 'Threshold' : `Threshold in ${unit}`}
                type="number"
                min="0"
                step="any"
                required
                {...bind('threshold')}
              />
              <Choice
                label="Over"
                hint={
                  isChange
                    ? values.window === '1'
                      ? 'Compared with the same weekday a week earlier'
                      : 'Compared with the period before'
                    : undefined
                }
                options={windowOptions}
                {...bind('window')}
              />
            </div>
            {values.metric === 'spend' ? null : (
              <Field
                label="Minimum payments"
                hint="With fewer payments the figure is mostly chance, and no alert is sent."
                type="number"
                min="3"
                max="100000"
                required
                {...bind('evidence')}
              />
            )}
          </>
        )}
        <AlertPreview condition={condition} />
      </Form>
    </Dialog>
  )
}

function toCondition(values: Record<string, string>): AlertCondition {
  if (values.metric === 'finding') return { kind: 'finding', check_id: values.check || null }
  const [direction, comparison] = values.when!.split(' ')
  return {
    kind: 'threshold',
    metric: values.metric as Threshold['metric'],
    campaign_id: values.campaign || null,
    direction: direction as Threshold['direction'],
    comparison: comparison as Threshold['comparison'],
    threshold: Number(values.threshold),
    window_days: Number(values.window) as Threshold['window_days'],
    min_conversions: Number(values.evidence),
  }
}
