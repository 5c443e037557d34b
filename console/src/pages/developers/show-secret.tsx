import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shows a secret once; the server stores only its hash. */
export function ShowSecret({
  title,
  secret,
  children,
  more,
  onClose,
}: {
  title: string
  secret: string
  children?: ReactNode
  /** Shown below the secret. */
  more?: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog open onClose={onClose} title={title} note={children} wide={more !== undefined}>
      <div className="stack">
        <Notice tone="warn">Copy it now. It is not shown again.</Notice>
        <CodeBlock text={secret} />
        {more}
      </div>
      <div className="form-actions">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
