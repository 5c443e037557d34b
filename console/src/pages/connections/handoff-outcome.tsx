import type { Handoff } from '@whence/server/features/handoffs/contract.ts'
import { type Provider, providerName } from '../../names/providers.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ChooseAccount } from './choose-account.tsx'
import { adviceFor } from './reasons.ts'

export function HandoffOutcome({
  handoff,
  provider,
  onAgain,
  onClose,
}: {
  handoff: Handoff
  provider: Provider
  onAgain: () => void
  onClose: () => void
}) {
  const { result } = handoff
  if (result && 'pending_selection' in result) return <ChooseAccount provider={provider} onClose={onClose} />
  if (result && 'connection_id' in result)
    return (
      <div className="stack">
        <Notice tone="good">{providerName(provider)} is connected. Its history is being read now.</Notice>
        <div className="form-actions">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    )
  const reason = result && 'reason' in result ? result.reason : 'internal_error'
  return (
    <div className="stack">
      <Notice tone="warn">
        {adviceFor(reason, providerName(provider))}
        <span className="sub">Nothing was stored. Code: {reason}</span>
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
