import type { Connection, Handoff } from '@whence/sdk'
import { useState } from 'react'
import { type Connectable, type Provider, providerName, vendorOf } from '../../names/providers.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ChooseAccount } from './choose-account.tsx'
import { OtherAccount } from './other-account.tsx'
import { adviceFor } from './reasons.ts'

export function HandoffOutcome({
  handoff,
  provider,
  broken,
  onAgain,
  onClose,
}: {
  handoff: Handoff
  provider: Connectable
  broken: Connection | undefined
  onAgain: () => void
  onClose: () => void
}) {
  const { result } = handoff
  const [chosenId, setChosenId] = useState<string>()
  const connectedId = result && 'connection_id' in result ? result.connection_id : chosenId
  if (connectedId && broken && broken.id !== connectedId)
    return <OtherAccount broken={broken} connectedId={connectedId} onAgain={onAgain} onClose={onClose} />
  if (connectedId)
    return (
      <div className="stack">
        <Notice tone="good">
          {providerName(provider)} is connected.{' '}
          {vendorOf('mailbox', provider) ? 'Reports are sent from it.' : 'Its history is being loaded.'}
        </Notice>
        <div className="form-actions">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    )
  if (result && 'pending_selection' in result)
    return <ChooseAccount provider={provider as Provider} onConnected={setChosenId} onClose={onClose} />
  const reason = result && 'reason' in result ? result.reason : 'internal_error'
  return (
    <div className="stack">
      <Notice tone="warn">
        {adviceFor(reason, providerName(provider))}
        <span className="sub">Nothing was saved. Code: {reason}</span>
      </Notice>
      <div className="form-actions">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" onClick={onAgain}>
          Try again
        </Button>
      </div>
    </div>
  )
}
