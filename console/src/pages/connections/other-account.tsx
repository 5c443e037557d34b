import { type Connection, disconnectConnection, listConnections } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileRead, useProfileWrite } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shown if a reconnect connected another account: the broken connection is still broken. */
export function OtherAccount({
  broken,
  connectedId,
  onAgain,
  onClose,
}: {
  broken: Connection
  connectedId: string
  onAgain: () => void
  onClose: () => void
}) {
  const connected = useProfileRead(listConnections).data?.data.find(({ id }) => id === connectedId)
  const disconnect = useProfileWrite(disconnectConnection, [listConnections])
  return (
    <div className="stack">
      <Notice tone="warn">
        <strong>Another account was connected.</strong> The consent was for{' '}
        {connected ? `${connected.display_name} (${connected.external_id})` : 'another account'}.{' '}
        {broken.display_name} ({broken.external_id}) is still not connected. To reconnect it, sign in at the
        provider with a login that has access to it.
      </Notice>
      {disconnect.isError ? <Notice tone="bad">{messageOf(disconnect.error)}</Notice> : null}
      <div className="form-actions">
        <Button
          busy={disconnect.isPending}
          onClick={() => disconnect.mutate({ params: { id: broken.id } }, { onSuccess: onClose })}
        >
          Remove {broken.display_name}
        </Button>
        <Button onClick={onClose}>Keep both</Button>
        <Button kind="primary" onClick={onAgain}>
          Try again
        </Button>
      </div>
    </div>
  )
}
