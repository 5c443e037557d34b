import { type DataOf, getMe, listMembers, putMember, removeMember } from '@whence/sdk'
import type { WorkspaceRole } from '@whence/server/platform/contract/access.ts'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'
import { roleOptions } from './roles.ts'

type Member = DataOf<typeof listMembers>[number]

export function Members({ isAdmin }: { isAdmin: boolean }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const members = useRead(listMembers, { params })
  const me = useRead(getMe).data?.data.id
  const put = useWrite(putMember, [listMembers])
  const remove = useWrite(removeMember, [listMembers])
  const [removing, setRemoving] = useState<Member | null>(null)
  const toast = useToast()
  const change = (member: Member, role: WorkspaceRole) =>
    put.mutate(
      { params, body: { email: member.email, role } },
      {
        onSuccess: () => toast(`${member.name} is now ${role}`),
        onError: (error: unknown) => toast(messageOf(error), 'bad'),
      },
    )
  return (
    <Card title="Members" flush>
      <Loaded query={members}>
        {({ data }) => (
          <ul className="list">
            {data.map((member) => (
              <li key={member.user_id}>
                <span className="avatar round" aria-hidden="true">
                  {member.name.slice(0, 1).toUpperCase()}
                </span>
                <span className="grow">
                  <strong>{member.name}</strong> {member.user_id === me ? <Badge>You</Badge> : null}
                  <span className="sub">
                    {member.email}
                    {member.profiles.length > 0
                      ? ` · ${plural(member.profiles.length, 'single profile')}`
                      : ''}
                  </span>
                </span>
                {member.role === null ? (
                  <Badge>Single profiles</Badge>
                ) : isAdmin && member.user_id !== me ? (
                  <select
                    className="select small"
                    aria-label={`Role of ${member.name}`}
                    value={member.role}
                    onChange={(event) => change(member, event.target.value as WorkspaceRole)}
                  >
                    {roleOptions.map(({ value, label }) => (
                      <option key={value} value={value}>
                        {label}
                      </option>
                    ))}
                  </select>
                ) : (
                  <Badge>{roleOptions.find(({ value }) => value === member.role)?.label}</Badge>
                )}
                {isAdmin && member.user_id !== me ? (
                  <Button small onClick={() => setRemoving(member)} aria-label={`Remove ${member.name}`}>
                    Remove
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {removing ? (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove"
          onConfirm={() => remove.mutateAsync({ params: { ...params, userId: removing.user_id } })}
          onClose={() => setRemoving(null)}
        >
          They lose access to the workspace and all its profiles immediately.
        </Confirm>
      ) : null}
    </Card>
  )
}
