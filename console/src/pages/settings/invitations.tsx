import type { WorkspaceRole } from '@whence/server/contract/access.ts'
import { inviteMember, listInvitations, revokeInvitation } from '@whence/server/features/members/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { usePlace } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { roleHint, roleOptions } from './roles.ts'

export function Invitations() {
  const { workspace } = usePlace()
  const params = { workspaceId: workspace.id }
  const pending = useRead(listInvitations, { params })
  const invite = useWrite(inviteMember, [listInvitations])
  const revoke = useWrite(revokeInvitation, [listInvitations])
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('editor')
  const toast = useToast()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    invite.mutate(
      { params, body: { email, role } },
      {
        onSuccess: () => {
          toast(`Invitation sent to ${email}`)
          setEmail('')
        },
      },
    )
  }
  const offered = roleOptions.filter(({ value }) => value !== 'owner' || workspace.role === 'owner')
  return (
    <Card title="Invite someone" note="They get a mail with a link that works once." flush>
      <form className="form card-body" onSubmit={submit}>
        {invite.isError ? <Notice tone="bad">{messageOf(invite.error)}</Notice> : null}
        <div className="form-row">
          <Field
            label="Email"
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            required
          />
          <Choice
            label="Role"
            value={role}
            onChange={(event) => setRole(event.target.value as WorkspaceRole)}
            options={offered}
          />
        </div>
        <p className="small muted">{roleHint}</p>
        <div className="form-actions">
          <Button type="submit" kind="primary" busy={invite.isPending}>
            Send invitation
          </Button>
        </div>
      </form>
      <Loaded query={pending} skeleton={null}>
        {({ data }) => (
          <ul className="list" aria-label="Pending invitations">
            {data.map((invitation) => (
              <li key={invitation.id} className="ruled">
                <span className="grow">
                  {invitation.email}
                  <span className="sub">Lapses {instantText(invitation.expires_at)}</span>
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
