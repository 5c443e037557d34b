import { type DataOf, getMe, getSignInPolicy, resetMemberFactors, updateSignInPolicy } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useToast } from '../../ui/toast.tsx'

type Policy = DataOf<typeof getSignInPolicy>

/** Whether people of the workspace need a second factor, and who has one. */
export function SignInPolicy() {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const policy = useRead(getSignInPolicy, { params })
  const update = useWrite(updateSignInPolicy, [getSignInPolicy])
  const isOwner = workspace.role === 'owner'
  const toast = useToast()
  const isRequired = policy.data?.data.second_factor_required_from != null
  const toggle = () =>
    update.mutate(
      { params, body: { require_second_factor: !isRequired } },
      { onError: (error: unknown) => toast(messageOf(error), 'bad') },
    )
  const actions =
    isOwner && policy.data ? (
      <Button busy={update.isPending} onClick={toggle}>
        {isRequired ? 'No longer require it' : 'Require a second factor'}
      </Button>
    ) : null
  return (
    <Card
      title="Second factor"
      flush
      actions={actions}
      note={policy.data ? noteOf(policy.data.data) : undefined}
    >
      <Loaded query={policy}>{({ data }) => <People policy={data} isOwner={isOwner} />}</Loaded>
    </Card>
  )
}

function noteOf({ second_factor_required_from: from }: Policy): string {
  if (from === null) return 'Not required. A stolen password is then enough to open the workspace.'
  return `Required from ${from.slice(0, 10)}. From then on, people without one cannot open the workspace.`
}

function People({ policy, isOwner }: { policy: Policy; isOwner: boolean }) {
  const { workspace } = useProfileContext()
  const me = useRead(getMe).data?.data.id
  const reset = useWrite(resetMemberFactors, [getSignInPolicy])
  const [resetting, setResetting] = useState<Policy['members'][number] | null>(null)
  return (
    <>
      <ul className="list">
        {policy.members.map((member) => (
          <li key={member.user_id}>
            <span className="grow">
              <strong>{member.name}</strong>
              <span className="sub">{member.email}</span>
            </span>
            <Badge tone={member.has_second_factor ? 'good' : 'warn'}>
              {member.has_second_factor ? 'Second factor' : 'Password only'}
            </Badge>
            {isOwner && member.has_second_factor && member.user_id !== me ? (
              <Button
                small
                onClick={() => setResetting(member)}
                aria-label={`Remove the second factors of ${member.name}`}
              >
                Lost it
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {resetting ? (
        <Confirm
          title={`Remove the second factors of ${resetting.name}?`}
          action="Remove"
          onConfirm={() =>
            reset.mutateAsync({ params: { workspaceId: workspace.id, userId: resetting.user_id } })
          }
          onClose={() => setResetting(null)}
        >
          Do this only after you have spoken to them. They sign in with the password until they add a new one.
        </Confirm>
      ) : null}
    </>
  )
}
