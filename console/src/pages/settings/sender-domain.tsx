import {
  type DataOf,
  getSenderDomain,
  registerSenderDomain,
  removeSenderDomain,
  verifySenderDomain,
} from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Domain = NonNullable<DataOf<typeof getSenderDomain>>

const statuses: Record<Domain['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'warn', label: 'Waiting for DNS records' },
  verified: { tone: 'good', label: 'Verified' },
  failed: { tone: 'bad', label: 'Records missing or wrong' },
  temporary_failure: { tone: 'warn', label: 'Last check failed' },
}
const records: Record<Domain['records'][number]['status'], { tone: Tone; label: string }> = {
  unchecked: { tone: 'plain', label: 'Not checked' },
  found: { tone: 'good', label: 'Found' },
  missing: { tone: 'warn', label: 'Missing' },
  different: { tone: 'bad', label: 'Different' },
  unknown: { tone: 'plain', label: 'Unknown' },
}

/** The domain from which client reports are sent. */
export function SenderDomainSettings() {
  const { workspace } = useProfileContext()
  const domain = useRead(getSenderDomain, { params: { workspaceId: workspace.id } })
  return (
    <Card
      title="Sender of reports"
      note="Client reports are sent from your own domain once its DNS records are verified. Until then they are sent from this service under your name."
    >
      <Loaded query={domain}>
        {({ data }) => (data === null ? <RegisterForm /> : <RegisteredDomain domain={data} />)}
      </Loaded>
    </Card>
  )
}

function RegisterForm() {
  const { workspace } = useProfileContext()
  const register = useWrite(registerSenderDomain, [getSenderDomain])
  const { values, bind } = useFields({ domain: '', local: 'reports' })
  const submit = () =>
    register.mutate({
      params: { workspaceId: workspace.id },
      body: { domain: values.domain, from_local: values.local },
    })
  return (
    <Form action="Register domain" write={register} onSubmit={submit}>
      <div className="form-row">
        <Field label="Domain" placeholder="agency.example" required {...bind('domain')} />
        <Field label="Part before the @" required {...bind('local')} />
      </div>
    </Form>
  )
}

function RegisteredDomain({ domain }: { domain: Domain }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const verify = useWrite(verifySenderDomain, [getSenderDomain])
  const remove = useWrite(removeSenderDomain, [getSenderDomain])
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error))
  return (
    <div className="stack">
      <p>
        <Badge tone={statuses[domain.status].tone}>{statuses[domain.status].label}</Badge> {domain.from}
      </p>
      {domain.records.map((record) => (
        <div key={record.purpose} className="stack">
          <p>
            <Badge tone={records[record.status].tone}>{records[record.status].label}</Badge> {record.type}{' '}
            <code>{record.name}</code>
            {record.required ? '' : ' (recommended)'}
          </p>
          <CodeBlock text={record.value} />
        </div>
      ))}
      <p className="small muted">
        {domain.checked_at === null ? 'Not checked yet.' : `Last checked ${instantText(domain.checked_at)}.`}
      </p>
      <div className="form-actions">
        <Button
          onClick={() =>
            remove.mutate({ params }, { onSuccess: () => toast('Sending domain removed'), onError })
          }
          busy={remove.isPending}
        >
          Remove
        </Button>
        <Button
          kind="primary"
          onClick={() => verify.mutate({ params, body: {} }, { onError })}
          busy={verify.isPending}
        >
          Check now
        </Button>
      </div>
    </div>
  )
}
