import { type ExportDestination, previewExportDestination } from '@whence/sdk'
import { useProfileRead } from '../../api/profile.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { kindNames, reasonText } from './reasons.ts'

/** The bodies as they would leave now; one conversion, or the newest few. */
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
      title={`What would leave for ${destination.display_name}`}
      note={`The JSON that ${kindNames[destination.kind]} would get now. Emails and phone numbers are SHA-256 hashes by the platform’s own rule. Nothing is sent.`}
      wide
    >
      <Loaded query={preview}>
        {({ data }) => (
          <div className="stack">
            {data.bodies.length === 0 && data.withheld.length === 0 ? (
              <p className="muted">No conversion has come for this destination yet.</p>
            ) : null}
            {data.bodies.map((body, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: bodies have no id and never change their order
              <CodeBlock key={index} text={JSON.stringify(body, null, 2)} />
            ))}
            {data.withheld.map(({ conversion_id, reason }) => (
              <Notice key={conversion_id} tone="warn">
                Conversion {conversion_id.slice(-8)} stays here: {reasonText(reason)}.
              </Notice>
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
