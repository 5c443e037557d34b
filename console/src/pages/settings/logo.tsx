import { getBranding, removeLogo, uploadLogo } from '@whence/sdk'
import { type ChangeEvent, useRef } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'

export function Logo({ url }: { url: string | null }) {
  const { workspace } = useProfileContext()
  const params = { workspaceId: workspace.id }
  const upload = useWrite(uploadLogo, [getBranding])
  const remove = useWrite(removeLogo, [getBranding])
  const picker = useRef<HTMLInputElement>(null)
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    if (file) upload.mutate({ params, raw: { type: 'application/octet-stream', content: file } })
    event.target.value = ''
  }
  const failure = upload.error ?? remove.error
  return (
    <Card title="Logo" note="PNG, JPEG, GIF or WebP, at most 5 MB.">
      <div className="stack">
        {failure ? <Notice tone="bad">{messageOf(failure)}</Notice> : null}
        <div className="toolbar">
          {url ? <img className="logo" src={url} alt="The workspace’s logo" /> : null}
          <input
            ref={picker}
            className="sr-only"
            type="file"
            aria-label="Logo file"
            tabIndex={-1}
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={choose}
          />
          <Button busy={upload.isPending} onClick={() => picker.current?.click()}>
            {url ? 'Replace' : 'Upload a logo'}
          </Button>
          {url ? (
            <Button kind="quiet" onClick={() => remove.mutate({ params })}>
              Remove
            </Button>
          ) : null}
        </div>
      </div>
    </Card>
  )
}
