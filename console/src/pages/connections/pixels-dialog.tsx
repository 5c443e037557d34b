import { listPixels } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { agoText } from '../../format/times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'

/** The pixels of an ad account, queried live from the platform. */
export function PixelsDialog({ connectionId, onClose }: { connectionId: string; onClose: () => void }) {
  const pixels = useProfileRead(listPixels, { params: { id: connectionId } })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pixels of this account"
      note="As the platform reports them now."
      wide
    >
      <Loaded query={pixels}>
        {({ data }) =>
          data.pixels.length === 0 ? (
            <Empty icon="tracking" title="The account has no pixel" />
          ) : (
            <ul className="list">
              {data.pixels.map((pixel) => (
                <li key={pixel.id}>
                  <span className="grow">
                    <strong>{pixel.name ?? pixel.id}</strong>
                    <span className="sub">
                      {pixel.id} · last fired {agoText(pixel.last_fired_at)}
                    </span>
                  </span>
                  {pixel.is_unavailable ? <Badge tone="bad">Unavailable</Badge> : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}
