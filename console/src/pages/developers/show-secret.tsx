import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

/** A secret is shown this once; the service keeps only its hash. */
export function ShowSecret({
  title,
  secret,
  children,
  onClose,
}: {
  title: string
  secret: string
  children?: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog open onClose={onClose} title={title} note={children}>
      <Notice tone="warn">Copy it now. It is not shown again.</Notice>
      <CodeBlock text={secret} />
      <div className="form-actions">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
