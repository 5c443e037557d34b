import {
  type DataOf,
  inviteProfileMember,
  listMembers,
  listProfileInvitations,
  removeProfileMember,
  revokeProfileInvitation,
  updateProfileMember,
} from '@whence/sdk'
import { profileRoles } from '@whence/server/platform/contract/access.ts'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { instantText } from '../../format/times.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'

type Role = (typeof profileRoles)[number]
type Member = DataOf<typeof listMembers>[number]
const options = profileRoles.map((value) => ({ value, label: sentence(value) }))

/** Members of this profile who have no access to the rest of the workspace. */
export function ProfileMembers() {
  const { workspace, profile } = useProfileContext()
  const params = { workspaceId: workspace.id, profileId: profile.id }
  const members = useRead(listMembers, { params: { workspaceId: workspace.id } }).data?.data ?? []
  const pending = useRead(listProfileInvitations, { params }).data?.data ?? []
  const update = useWrite(updateProfileMember, [listMembers])
  const remove = useWrite(removeProfileMember, [listMembers])
  const revoke = useWrite(revokeProfileInvitation, [listProfileInvitations])
  const [removing, setRemoving] = useState<{ name: string; membershipId: string } | null>(null)
  const toast = useToast()
  const onError = (error: unknown) => toast(messageOf(error), 'bad')
  const membershipOf = (member: Member) => member.profiles.find(({ profile_id }) => profile_id === profile.id)
  return (
    <Card title={`Only for ${profile.name}`} note="These people see only this profile." flush>
      <ul className="list" aria-label="People of this profile">
        {members.flatMap((member) => {
          const membership = membershipOf(member)
          if (!membership) return []
          const memberParams = { ...params, membershipId: membership.membership_id }
          return (
            <li key={membership.membership_id}>
              <span className="grow">
                <strong>{member.name}</strong>
                <span className="sub">{member.email}</span>
              </span>
              <select
                className="select small"
                aria-label={`Role of ${member.name} in ${profile.name}`}
                value={membership.role}
                onChange={(event) =>
                  update.mutate(
                    { params: memberParams, body: { role: event.target.value as Role } },
                    { onError },
                  )
                }
              >
                {options.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
              <Button
                small
                aria-label={`Remove ${member.name} from ${profile.name}`}
                onClick={() => setRemoving({ name: member.name, membershipId: membership.membership_id })}
              >
                Remove
              </Button>
            </li>
          )
        })}
        {pending.map((invitation) => (
          <li key={invitation.id}>
            <span className="grow">
              {invitation.email}
              <span className="sub">Expires {instantText(invitation.expires_at)}</span>
            </span>
            <Badge tone="warn">Invited as {invitation.role}</Badge>
            <Button
              small
              aria-label={`Revoke the invitation of ${invitation.email}`}
              onClick={() =>
                revoke.mutate({ params: { ...params, invitationId: invitation.id } }, { onError })
              }
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <InviteToProfile params={params} />
      {removing ? (
        <Confirm
          title={`Remove ${removing.name} from ${profile.name}?`}
          action="Remove"
          onConfirm={() => remove.mutateAsync({ params: { ...params, membershipId: removing.membershipId } })}
          onClose={() => setRemoving(null)}
        >
          They no longer see this profile.
        </Confirm>
      ) : null}
    </Card>
  )
}

function InviteToProfile({ params }: { params: { workspaceId: string; profileId: string } }) {
  const invite = useWrite(inviteProfileMember, [listProfileInvitations])
  const { values, bind } = useFields({ email: '', role: 'viewer' })
  const link = invite.data?.data.accept_url
  return (
    <Form
      action="Invite to this profile"
      write={invite}
      onSubmit={() => invite.mutate({ params, body: { email: values.email, role: values.role as Role } })}
      inset
    >
      <div className="form-row">
        <Field label="Email of the person" type="email" {...bind('email')} required />
        <Choice label="Role in this profile" options={options} {...bind('role')} />
      </div>
      {link ? (
        <Notice tone="warn">
          <div className="stack">
            <p>No mail server is configured. Send this link yourself; it is not shown again.</p>
            <CodeBlock text={link} />
          </div>
        </Notice>
      ) : null}
    </Form>
  )
}
