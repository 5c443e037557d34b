import { generateReports, getReportsHub } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Card } from '../../ui/card.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { useToast } from '../../ui/toast.tsx'
import { addressesOf, formatOptions, languageOptions, periodOptions, scopeOptions } from './options.ts'

type RequestBody = NonNullable<Parameters<ReturnType<typeof useGenerate>['mutate']>[0]['body']>

const useGenerate = () => useWrite(generateReports, [getReportsHub])

export function GenerateReports() {
  const { workspace, profile } = useProfileContext()
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
          period: values.period as RequestBody['period'],
          format: values.format as RequestBody['format'],
          language: values.language as RequestBody['language'],
          send: recipients.length > 0,
          recipients,
        },
      },
      {
        onSuccess: ({ data }) => {
          toast(
            data.reports.length === 1
              ? 'The report is being created'
              : `${data.reports.length} reports are being created`,
          )
          setValues({ ...values, recipients: '' })
        },
      },
    )
  return (
    <Card title="Create a report">
      <Form
        action={recipients.length > 0 ? 'Create and send' : 'Create report'}
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
