import { type ReactNode, useState } from 'react'
import { messageOf } from '../api/call.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Confirmation dialog. */
export function Confirm({
  title,
  children,
  action,
  onConfirm,
  onClose,
}: {
  title: string
  children: ReactNode
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = () => {
    setBusy(true)
    onConfirm().then(onClose, (error: unknown) => {
      setProblem(messageOf(error))
      setBusy(false)
    })
  }
  return (
    <Dialog open onClose={onClose} title={title} note={children}>
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <div className="form-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={busy} onClick={run}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
