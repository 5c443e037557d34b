import { listTrackingKeys, revokeTrackingKey } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'

/** The keys that sites send with their visits, and an end to one that is abused. */
export function TrackingKeys() {
  const keys = useProfileRead(listTrackingKeys).data?.data ?? []
  const revoke = useProfileWrite(revokeTrackingKey, [listTrackingKeys])
  const [leaving, setLeaving] = useState<(typeof keys)[number] | null>(null)
  if (keys.length === 0) return null
  return (
    <Card
      title="Tracking keys"
      note="Not secret: each page shows its own. A revoked key’s visits are refused."
      flush
    >
      <ul className="list">
        {keys.map((key) => (
          <li key={key.id}>
            <code className="grow">{key.key}</code>
            <Button small onClick={() => setLeaving(key)} aria-label={`Revoke ${key.key}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {leaving ? (
        <Confirm
          title="Revoke this tracking key?"
          action="Revoke tracking key"
          onConfirm={() => revoke.mutateAsync({ params: { id: leaving.id } })}
          onClose={() => setLeaving(null)}
        >
          Sites that use it stop recording visits at once. Put another key’s snippet on them first.
        </Confirm>
      ) : null}
    </Card>
  )
}
