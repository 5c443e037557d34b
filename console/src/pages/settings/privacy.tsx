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
import { PersonExports } from './person-exports.tsx'

/** Privacy overview, exports of a person's data, erasures and the access log of personal data. */
export function Privacy({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      <Compliance isAdmin={isAdmin} />
      {isAdmin ? <PersonExports /> : null}
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
  const [confirming, setConfirming] = useState(false)
  const healthcare = overview.data?.data.healthcare ?? false
  return (
    <Card
      title="Privacy of the profiles"
      note={
        healthcare
          ? 'This is a healthcare workspace: partner apps cannot read people of any profile.'
          : 'Which partner apps can read people.'
      }
      actions={
        isAdmin && overview.data ? (
          <Button onClick={() => setConfirming(true)}>
            {healthcare ? 'Turn off healthcare mode' : 'Turn on healthcare mode'}
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
                    which can read people
                  </span>
                </span>
                {profile.is_healthcare ? <Badge tone="accent">Healthcare</Badge> : null}
                <Badge>{sentence(profile.privacy_mode)}</Badge>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {confirming ? (
        <Confirm
          title={healthcare ? 'Turn off healthcare mode?' : 'Turn on healthcare mode?'}
          action={healthcare ? 'Turn off' : 'Turn on'}
          onConfirm={() => update.mutateAsync({ params, body: { healthcare: !healthcare } })}
          onClose={() => setConfirming(false)}
        >
          {healthcare
            ? 'Partner apps can get scopes that read people again.'
            : 'All partner apps lose the scopes that read people immediately.'}
        </Confirm>
      ) : null}
    </Card>
  )
}
