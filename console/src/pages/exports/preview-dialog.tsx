import { type ExportDestination, previewExportDestination } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { kindNames, reasonText } from './reasons.ts'

/** Request bodies as they would be sent now, for one conversion or the newest few. */
export function PreviewDialog({
  destination,
  conversionId,
  onClose,
}: {
  destination: ExportDestination
  conversionId?: string
  onClose: () => void
}) {
  const preview = useProfileRead(previewExportDestination, {
    params: { id: destination.id },
    query: conversionId === undefined ? {} : { conversion_id: conversionId },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Preview for ${destination.display_name}`}
      note={`The JSON that ${kindNames[destination.kind]} would receive now. Emails and phone numbers are SHA-256 hashes by the platform’s own rule. Nothing is sent.`}
      wide
    >
      <Loaded query={preview}>
        {({ data }) => (
          <div className="stack">
            {data.bodies.length === 0 && data.withheld.length === 0 ? (
              <p className="muted">No conversions for this destination yet.</p>
            ) : null}
            {data.bodies.map((body, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: bodies have no id and are never reordered
              <CodeBlock key={index} text={JSON.stringify(body, null, 2)} />
            ))}
            {data.withheld.map(({ conversion_id, reason }) => (
              <Notice key={conversion_id} tone="warn">
                Conversion {conversion_id.slice(-8)} is not sent: {reasonText(reason)}.
              </Notice>
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
