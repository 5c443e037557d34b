import { useSearch } from '@tanstack/react-router'
import {
  confirmWorkspaceCustomerDataExport,
  type DataOf,
  deleteWorkspaceCustomerDataExport,
  downloadWorkspaceCustomerDataExport,
  listWorkspaceCustomerDataExports,
  requestWorkspaceCustomerDataExport,
} from '@whence/sdk'
import { useState } from 'react'
import { call, messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { usePages, useWrite } from '../../api/queries.ts'
import { saveFile } from '../../api/save-file.ts'
import { plural } from '../../format/numbers.ts'
import { dayText, instantText, today } from '../../format/times.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { PagedTable } from '../../ui/paged-table.tsx'
import { useToast } from '../../ui/toast.tsx'
import { selectorKinds } from './erasures.tsx'

type PersonExport = DataOf<typeof listWorkspaceCustomerDataExports>[number]
type Law = PersonExport['law']
type StatedMethod = 'account' | 'reply_from_address' | 'in_person' | 'other'

const POLL_MS = 5000
const lists = [listWorkspaceCustomerDataExports]

const laws = [
  { value: 'gdpr', label: 'GDPR (EU, UK): one month' },
  { value: 'lgpd', label: 'LGPD (Brazil): 15 days' },
  { value: 'chile', label: 'Ley 21.719 (Chile): 30 days' },
  { value: 'ccpa', label: 'CCPA (California): 45 days' },
  { value: 'other', label: 'Another law: 30 days' },
]
const statedMethods = [
  { value: 'account', label: 'Signed in to their account with you' },
  { value: 'reply_from_address', label: 'Wrote from the stored address' },
  { value: 'in_person', label: 'In person' },
  { value: 'other', label: 'In another way' },
]
const mailCode = { value: 'mail_code', label: 'Mail a code to the stored address' }

const badges: Record<PersonExport['status'], { tone: Tone; label: string }> = {
  awaiting_identity: { tone: 'warn', label: 'Identity open' },
  pending: { tone: 'accent', label: 'In progress' },
  ready: { tone: 'good', label: 'Ready' },
  expired: { tone: 'plain', label: 'File deleted' },
  failed: { tone: 'bad', label: 'Failed' },
  cancelled: { tone: 'plain', label: 'Cancelled' },
}

const recordsOf = ({ sections }: PersonExport) => sections.reduce((sum, { records }) => sum + records, 0)

/** One person's data as a file: new requests, and the list with due days. */
export function PersonExports() {
  const { workspace, profiles } = useProfileContext()
  const toast = useToast()
  const params = { workspaceId: workspace.id }
  const requests = usePages(
    listWorkspaceCustomerDataExports,
    { params, query: { limit: 50 } },
    { every: POLL_MS },
  )
  const end = useWrite(deleteWorkspaceCustomerDataExport, lists)
  const [identifying, setIdentifying] = useState<string>()
  const paramsOf = (row: PersonExport) => ({ ...params, data_export_id: row.data_export_id })
  const download = (row: PersonExport) =>
    call(downloadWorkspaceCustomerDataExport, { params: paramsOf(row) }).then(
      (content) => saveFile(`customer-data-${row.data_export_id}.zip`, content),
      (error: unknown) => toast(messageOf(error)),
    )
  const columns: Column<PersonExport>[] = [
    {
      id: 'due',
      label: 'Answer by',
      cell: (row) => (
        <>
          {dayText(row.due_on, true)} {row.is_overdue ? <Badge tone="bad">Overdue</Badge> : null}
          <span className="sub">asked on {dayText(row.requested_on, true)}</span>
        </>
      ),
    },
    {
      id: 'profile',
      label: 'Profile',
      cell: (row) => profiles.find(({ id }) => id === row.profile_id)?.name ?? '–',
    },
    {
      id: 'status',
      label: 'Status',
      cell: (row) => (
        <>
          <Badge tone={badges[row.status].tone}>{badges[row.status].label}</Badge>
          {row.status === 'ready' ? (
            <span className="sub">
              {plural(recordsOf(row), 'record')}, until {instantText(row.expires_at)}
            </span>
          ) : null}
        </>
      ),
    },
    {
      id: 'actions',
      label: 'Actions',
      cell: (row) => (
        <div className="toolbar">
          {row.status === 'awaiting_identity' ? (
            <Button small onClick={() => setIdentifying(row.data_export_id)}>
              Identify the person
            </Button>
          ) : null}
          {row.status === 'ready' ? (
            <Button small kind="primary" onClick={() => void download(row)}>
              Download
            </Button>
          ) : null}
          {['awaiting_identity', 'pending', 'ready'].includes(row.status) ? (
            <Button small kind="quiet" onClick={() => end.mutate({ params: paramsOf(row) })}>
              {row.status === 'ready' ? 'Delete the file' : 'Cancel'}
            </Button>
          ) : null}
        </div>
      ),
    },
  ]
  return (
    <>
      <NewExport />
      <Card title="Requests for personal data" flush>
        <PagedTable
          label="Requests for personal data"
          query={requests}
          columns={columns}
          rowKey={(row) => row.data_export_id}
          empty={<Empty icon="people" title="No one has asked for their data yet" />}
        />
      </Card>
      {identifying === undefined ? null : (
        <Identify exportId={identifying} onClose={() => setIdentifying(undefined)} />
      )}
    </>
  )
}

function NewExport() {
  const { workspace, profile } = useProfileContext()
  const { person } = useSearch({ from: '/p/$profileId/settings' })
  const request = useWrite(requestWorkspaceCustomerDataExport, lists)
  const { values, bind } = useFields({
    kind: person ? 'customer_id' : 'email',
    value: person ?? '',
    law: 'gdpr',
    requestedOn: today(profile.timezone),
    method: 'account',
    note: '',
  })
  const isMailed = values.method === 'mail_code'
  return (
    <Card
      title="Export a person’s data"
      note={`Everything that is stored about one person of ${profile.name}, as a ZIP file. The owners get a mail.`}
    >
      <Form
        action="Create the file"
        write={request}
        onSubmit={() =>
          request.mutate({
            params: { workspaceId: workspace.id },
            body: {
              profile_id: profile.id,
              [values.kind]: values.value.trim(),
              law: values.law as Law,
              requested_on: values.requestedOn,
              identity_check: isMailed
                ? { method: 'mail_code' }
                : {
                    method: values.method as StatedMethod,
                    ...(values.note === '' ? {} : { note: values.note }),
                  },
            },
          })
        }
      >
        <div className="form-row">
          <Choice label="Find the person by" options={selectorKinds} {...bind('kind')} />
          <Field label="Value of the person" {...bind('value')} required />
        </div>
        <div className="form-row">
          <Choice label="Law" options={laws} {...bind('law')} />
          <Field label="Asked on" type="date" {...bind('requestedOn')} required />
        </div>
        <div className="form-row">
          <Choice label="Identified by" options={[...statedMethods, mailCode]} {...bind('method')} />
          {isMailed ? null : <Field label="Note (optional)" maxLength={200} {...bind('note')} />}
        </div>
      </Form>
    </Card>
  )
}

/** How the person was identified, or the code that they received. */
function Identify({ exportId, onClose }: { exportId: string; onClose: () => void }) {
  const { workspace } = useProfileContext()
  const confirm = useWrite(confirmWorkspaceCustomerDataExport, lists)
  const { values, bind } = useFields({ method: 'mail_code', note: '', code: '' })
  const isMailed = values.method === 'mail_code'
  const params = { workspaceId: workspace.id, data_export_id: exportId }
  const [isSent, setSent] = useState(false)
  const sendCode = () =>
    confirm.mutate({ params, body: { method: 'mail_code' } }, { onSuccess: () => setSent(true) })
  const body = isMailed
    ? { method: 'mail_code' as const, code: values.code.trim() }
    : {
        method: values.method as StatedMethod,
        ...(values.note === '' ? {} : { note: values.note }),
      }
  return (
    <Dialog open title="Identify the person" onClose={onClose}>
      <Form
        action="Confirm"
        write={confirm}
        onCancel={onClose}
        onSubmit={() => confirm.mutate({ params, body }, { onSuccess: onClose })}
        detail={isMailed ? <Button onClick={sendCode}>Mail a new code</Button> : null}
      >
        <Choice label="Identified by" options={[mailCode, ...statedMethods]} {...bind('method')} />
        {isMailed ? (
          <Field
            label="Code from the mail"
            hint={isSent ? 'A new code is on its way.' : 'Six digits, valid for 10 minutes.'}
            inputMode="numeric"
            pattern="\d{6}"
            {...bind('code')}
            required
          />
        ) : (
          <Field label="Note (optional)" maxLength={200} {...bind('note')} />
        )}
      </Form>
    </Dialog>
  )
}
