import { listTrackingKeys, revokeTrackingKey } from '@whence/sdk'
import { useState } from 'react'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'

/** Lists the tracking keys, to revoke one that is abused. */
export function TrackingKeys() {
  const keys = useProfileRead(listTrackingKeys).data?.data ?? []
  const revoke = useProfileWrite(revokeTrackingKey, [listTrackingKeys])
  const [revoking, setRevoking] = useState<(typeof keys)[number] | null>(null)
  if (keys.length === 0) return null
  return (
    <Card
      title="Tracking keys"
      note="Keys are not secret: your pages contain them. Visits with a revoked key are rejected."
      flush
    >
      <ul className="list">
        {keys.map((key) => (
          <li key={key.id}>
            <code className="grow">{key.key}</code>
            <Button small onClick={() => setRevoking(key)} aria-label={`Revoke ${key.key}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoking ? (
        <Confirm
          title="Revoke this tracking key?"
          action="Revoke tracking key"
          onConfirm={() => revoke.mutateAsync({ params: { id: revoking.id } })}
          onClose={() => setRevoking(null)}
        >
          Sites that use it stop recording visits immediately. Install another key’s snippet there first.
        </Confirm>
      ) : null}
    </Card>
  )
}
