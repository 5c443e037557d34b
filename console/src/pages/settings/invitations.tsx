import { inviteMember, listInvitations, revokeInvitation } from '@whence/sdk'
import type { WorkspaceRole } from '@whence/server/platform/contract/access.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { roleHint, roleOptions } from './roles.ts'

export function Invitations() {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const pending = useRead(listInvitations, { params })
  const invite = useWrite(inviteMember, [listInvitations])
  const revoke = useWrite(revokeInvitation, [listInvitations])
  const { values, bind, setValues } = useFields({ email: '', role: 'editor' })
  const toast = useToast()
  const link = invite.data?.data.accept_url
  const submit = () =>
    invite.mutate(
      { params, body: { email: values.email, role: values.role as WorkspaceRole } },
      {
        onSuccess: ({ data }) => {
          if (data.accept_url === null) toast(`Invitation sent to ${values.email}`)
          setValues({ ...values, email: '' })
        },
      },
    )
  const availableRoles = roleOptions.filter(({ value }) => value !== 'owner' || workspace.role === 'owner')
  return (
    <Card title="Invite someone" note="They receive a link that works once." flush>
      <Form action="Send invitation" write={invite} onSubmit={submit} inset>
        <div className="form-row">
          <Field label="Email" type="email" {...bind('email')} required />
          <Choice label="Role" options={availableRoles} {...bind('role')} />
        </div>
        <p className="small muted">{roleHint}</p>
        {link ? (
          <Notice tone="warn">
            <div className="stack">
              <p>
                No mail server is configured, so nothing was sent. Send this link to {invite.data?.data.email}{' '}
                yourself; it is not shown again.
              </p>
              <CodeBlock text={link} />
            </div>
          </Notice>
        ) : null}
      </Form>
      <Loaded query={pending} skeleton={null}>
        {({ data }) => (
          <ul className="list" aria-label="Pending invitations">
            {data.map((invitation) => (
              <li key={invitation.id} className="ruled">
                <span className="grow">
                  {invitation.email}
                  <span className="sub">Expires {instantText(invitation.expires_at)}</span>
                </span>
                <Badge tone="warn">Invited as {invitation.role}</Badge>
                <Button
                  small
                  onClick={() => revoke.mutate({ params: { ...params, invitationId: invitation.id } })}
                  aria-label={`Revoke the invitation of ${invitation.email}`}
                >
                  Revoke
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
