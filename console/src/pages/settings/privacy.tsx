import { getComplianceOverview, updateComplianceOverview } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead, useWrite } from '../../api/queries.ts'
import { plural } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Erasures } from './erasures.tsx'
import { PersonAccess } from './person-access.tsx'

/** How people's data is kept, who read it, and its removal. */
export function Privacy({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <Compliance isAdmin={isAdmin} />
      {isAdmin ? <Erasures /> : null}
      {isAdmin ? <PersonAccess /> : null}
    </>
  )
}

function Compliance({ isAdmin }: { isAdmin: boolean }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const overview = useRead(getComplianceOverview, { params })
  const update = useWrite(updateComplianceOverview, [getComplianceOverview])
  const [asking, setAsking] = useState(false)
  const healthcare = overview.data?.data.healthcare ?? false
  return (
    <Card
      title="Privacy of the profiles"
      note={
        healthcare
          ? 'A healthcare workspace: partner apps read no person of any profile.'
          : 'Which partner apps can read people.'
      }
      actions={
        isAdmin && overview.data ? (
          <Button onClick={() => setAsking(true)}>
            {healthcare ? 'No longer a healthcare workspace' : 'Make it a healthcare workspace'}
          </Button>
        ) : null
      }
      flush
    >
      <Loaded query={overview}>
        {({ data }) => (
          <ul className="list">
            {data.profiles.map((profile) => (
              <li key={profile.profile_id}>
                <span className="grow">
                  <strong>{profile.name}</strong>
                  <span className="sub">
                    {plural(profile.partner_apps, 'partner app')}, {profile.partner_apps_reading_people} of
                    them can read people
                  </span>
                </span>
                {profile.is_healthcare ? <Badge tone="accent">Healthcare</Badge> : null}
                <Badge>{sentence(profile.privacy_mode)}</Badge>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {asking ? (
        <Confirm
          title={healthcare ? 'No longer a healthcare workspace?' : 'Make it a healthcare workspace?'}
          action={healthcare ? 'Change it' : 'Make it healthcare'}
          onConfirm={() => update.mutateAsync({ params, body: { healthcare: !healthcare } })}
          onClose={() => setAsking(false)}
        >
          {healthcare
            ? 'Partner apps can be given scopes that read people again.'
            : 'Every partner app loses the scopes that read people, at once.'}
        </Confirm>
      ) : null}
    </Card>
  )
}
