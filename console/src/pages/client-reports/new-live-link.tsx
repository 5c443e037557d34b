import { createLiveLink, type LiveReport, listLiveLinks, liveReportValues } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { modelNames } from '../../names/models.ts'
import { LinkReady, LinkTerms } from '../../report/link-terms.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { languageOptions, periodOptions, reportNames } from './options.ts'

type Body = NonNullable<Parameters<ReturnType<typeof useCreate>['mutate']>[0]['body']>

const useCreate = () => useWrite(createLiveLink, [listLiveLinks])
const modelOptions = Object.entries(modelNames).map(([value, { name }]) => ({ value, label: name }))

export function NewLiveLink({ onClose }: { onClose: () => void }) {
  const { workspace, profile } = useProfileContext()
  const create = useCreate()
  const [reports, setReports] = useState<readonly LiveReport[]>(liveReportValues)
  const { values, bind } = useFields({
    name: profile.name,
    period: 'last_28_days',
    model: 'last_touch',
    language: 'en',
    days: '90',
    password: '',
  })
  const submit = () =>
    create.mutate({
      params: { workspaceId: workspace.id },
      body: {
        profile_id: profile.id,
        name: values.name,
        reports: [...reports],
        period: values.period as Body['period'],
        model: values.model as Body['model'],
        language: values.language as Body['language'],
        expires_in_days: Number(values.days),
        password: values.password || undefined,
      },
    })
  const toggle = (report: LiveReport, isOn: boolean) =>
    setReports(liveReportValues.filter((value) => (value === report ? isOn : reports.includes(value))))
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={`Live link for ${profile.name}`}
      note="The name, colours and logo come from Settings, Branding."
    >
      {create.data ? (
        <>
          <LinkReady link={create.data.data} />
          <div className="form-actions">
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <Form
          action="Create live link"
          write={create}
          onSubmit={submit}
          onCancel={onClose}
          disabled={reports.length === 0}
        >
          <Field label="Title of the page" required maxLength={120} {...bind('name')} />
          <fieldset className="field">
            <legend className="label">Reports</legend>
            {liveReportValues.map((report) => (
              <Check
                key={report}
                label={reportNames[report]}
                checked={reports.includes(report)}
                onChange={(event) => toggle(report, event.target.checked)}
              />
            ))}
          </fieldset>
          <div className="form-row">
            <Choice
              label="Opens with"
              hint="The client can choose other days."
              options={periodOptions}
              {...bind('period')}
            />
            <Choice label="Model" options={modelOptions} {...bind('model')} />
            <Choice label="Language" options={languageOptions} {...bind('language')} />
          </div>
          <LinkTerms bind={bind} />
        </Form>
      )}
    </Dialog>
  )
}
