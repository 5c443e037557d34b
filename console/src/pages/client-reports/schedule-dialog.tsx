import { getReportsHub, patchSchedules } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Schedule } from './hub.ts'
import { addressesOf, formatOptions, languageOptions, scopeOptions, weekdays } from './options.ts'

const cadenceOptions = [
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
]

export function ScheduleDialog({
  schedule,
  onClose,
}: {
  schedule: Schedule | undefined
  onClose: () => void
}) {
  const { workspace, profile } = useProfileContext()
  const patch = useWrite(patchSchedules, [getReportsHub])
  const toast = useToast()
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true)
  const [approval, setApproval] = useState(schedule?.approval ?? false)
  const { values, bind } = useFields({
    scope: 'one',
    cadence: schedule?.cadence ?? 'weekly',
    weekday: String(schedule?.weekday ?? 1),
    day: String(schedule?.day ?? 1),
    time: schedule?.time ?? '08:00',
    format: schedule?.format ?? 'pdf',
    language: schedule?.language ?? 'en',
    recipients: schedule?.recipients.join(', ') ?? '',
  })
  const submit = () =>
    patch.mutate(
      {
        params: { workspaceId: workspace.id },
        body: {
          profile_ids: values.scope === 'all' ? 'all' : [profile.id],
          patch: {
            enabled,
            approval,
            cadence: values.cadence as Schedule['cadence'],
            weekday: Number(values.weekday),
            day: Number(values.day),
            time: values.time,
            format: values.format as Schedule['format'],
            language: values.language as Schedule['language'],
            recipients: addressesOf(values.recipients),
          },
        },
      },
      {
        onSuccess: ({ data }) => {
          toast(data.length === 1 ? 'Schedule saved' : `${data.length} schedules saved`)
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Schedule"
      note="Weekly reports cover the last 7 days, monthly reports the previous month."
      wide
    >
      <Form
        action="Save schedule"
        write={patch}
        onSubmit={submit}
        onCancel={onClose}
        disabled={enabled && addressesOf(values.recipients).length === 0}
      >
        <div className="form-row">
          <Choice label="Profiles" options={scopeOptions(profile.name)} {...bind('scope')} />
          <Choice label="How often" options={cadenceOptions} {...bind('cadence')} />
          {values.cadence === 'weekly' ? (
            <Choice
              label="Weekday"
              options={weekdays.map((label, index) => ({ value: String(index + 1), label }))}
              {...bind('weekday')}
            />
          ) : (
            <Field
              label="Day of the month"
              type="number"
              min={1}
              max={31}
              hint="Shorter months use their last day."
              {...bind('day')}
            />
          )}
          <Field label="Time" type="time" required {...bind('time')} />
        </div>
        <div className="form-row">
          <Choice label="Format" options={formatOptions} {...bind('format')} />
          <Choice label="Language" options={languageOptions} {...bind('language')} />
        </div>
        <Field label="Recipients" placeholder="client@example.com" {...bind('recipients')} />
        <Check
          label="Ask for approval before a report is sent"
          checked={approval}
          onChange={(event) => setApproval(event.target.checked)}
        />
        <Check
          label="Schedule is on"
          checked={enabled}
          onChange={(event) => setEnabled(event.target.checked)}
        />
      </Form>
    </Dialog>
  )
}
