import { getStorefrontPixelInstaller, getTagManagerInstaller, listTrackingKeys } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Other ways to install the tracker. Both need a tracking key, so they are shown only if there is one. */
export function Installers() {
  const keys = useProfileRead(listTrackingKeys).data?.data ?? []
  const enabled = keys.length > 0
  const container = useProfileRead(getTagManagerInstaller, {}, { enabled }).data?.data
  const pixel = useProfileRead(getStorefrontPixelInstaller, {}, { enabled }).data?.data
  if (!container && !pixel) return null
  const save = () => {
    const url = URL.createObjectURL(
      new Blob([JSON.stringify(container, null, 2)], { type: 'application/json' }),
    )
    const link = document.createElement('a')
    link.href = url
    link.download = 'whence-tag-manager.json'
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 1000)
  }
  return (
    <Card title="Other ways to install" note="Instead of the snippet, if you cannot edit your pages.">
      <div className="stack">
        {container ? (
          <div className="more">
            <p>
              <strong>Tag manager</strong>
              <span className="sub">
                Import the file into a container (Admin, Import container) and publish it.
              </span>
            </p>
            <Button onClick={save}>
              <Icon name="download" size={15} />
              Download container
            </Button>
          </div>
        ) : null}
        {pixel ? (
          <details>
            <summary>Custom pixel of a store</summary>
            <p className="small muted">
              In the store’s settings under Customer events, add a custom pixel {pixel.name} with this code.
            </p>
            <CodeBlock text={pixel.code} />
          </details>
        ) : null}
      </div>
    </Card>
  )
}
