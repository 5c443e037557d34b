import { generateReports, getReportsHub } from '@whence/sdk'
import { usePlace } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Card } from '../../ui/card.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { addressesOf, formatOptions, languageOptions, periodOptions, scopeOptions } from './options.ts'

type Asked = NonNullable<Parameters<ReturnType<typeof useGenerate>['mutate']>[0]['body']>

const useGenerate = () => useWrite(generateReports, [getReportsHub])

export function GenerateReports() {
  const { workspace, profile } = usePlace()
  const generate = useGenerate()
  const toast = useToast()
  const { values, bind, setValues } = useFields({
    scope: 'one',
    period: 'last_month',
    format: 'pdf',
    language: 'en',
    recipients: '',
  })
  const recipients = addressesOf(values.recipients)
  const submit = () =>
    generate.mutate(
      {
        params: { workspaceId: workspace.id },
        body: {
          ...(values.scope === 'one' && { profile_ids: [profile.id] }),
          period: values.period as Asked['period'],
          format: values.format as Asked['format'],
          language: values.language as Asked['language'],
          send: recipients.length > 0,
          recipients,
        },
      },
      {
        onSuccess: ({ data }) => {
          toast(
            data.reports.length === 1
              ? 'The report is being made'
              : `${data.reports.length} reports are being made`,
          )
          setValues({ ...values, recipients: '' })
        },
      },
    )
  return (
    <Card title="Make a report">
      <Form
        action={recipients.length > 0 ? 'Make and send' : 'Make report'}
        write={generate}
        onSubmit={submit}
      >
        <div className="form-row">
          <Choice label="Profiles" options={scopeOptions(profile.name)} {...bind('scope')} />
          <Choice label="Period" options={periodOptions} {...bind('period')} />
          <Choice label="Format" options={formatOptions} {...bind('format')} />
          <Choice label="Language" options={languageOptions} {...bind('language')} />
        </div>
        <Field
          label="Send to"
          placeholder="client@example.com, second@example.com"
          hint="Leave empty to download only."
          {...bind('recipients')}
        />
      </Form>
    </Card>
  )
}
