import { archiveWorkspace, getSubscription } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { queryClient, useRead, useWrite } from '../../api/queries.ts'
import { basePath } from '../../base-path.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Archives a workspace. Only the owner may, and must type its name to confirm. */
export function ArchiveWorkspace() {
  const { workspace } = useProfileContext()
  const [confirming, setConfirming] = useState(false)
  const { values, bind } = useFields({ name: '' })
  const archive = useWrite(archiveWorkspace)
  const subscription = useRead(
    getSubscription,
    { params: { workspaceId: workspace.id } },
    { enabled: workspace.role === 'owner' },
  )
  const isPaidByStore =
    subscription.data?.data.billed_by === 'store' && subscription.data.data.status !== 'canceled'
  if (workspace.role !== 'owner') return null
  const onSuccess = () => {
    queryClient.clear()
    location.assign(`${basePath}/`)
  }
  return (
    <Card
      title="Archive the workspace"
      note="Ends all its profiles, keys, connections and members’ access. This cannot be undone."
      actions={
        <Button kind="danger" onClick={() => setConfirming(true)}>
          Archive {workspace.name}
        </Button>
      }
    >
      <p className="muted small">Data is deleted after the service’s retention period.</p>
      {confirming ? (
        <Dialog
          open
          onClose={() => setConfirming(false)}
          title={`Archive ${workspace.name}?`}
          note={`Type ${workspace.name} to confirm. This cannot be undone.`}
        >
          {isPaidByStore ? (
            <Notice tone="warn">
              Your store pays for this plan. It keeps charging until you remove the app from the store.
            </Notice>
          ) : null}
          <Form
            action="Archive permanently"
            write={archive}
            disabled={values.name !== workspace.name}
            onSubmit={() => archive.mutate({ params: { workspaceId: workspace.id } }, { onSuccess })}
            onCancel={() => setConfirming(false)}
          >
            <Field label="Name of the workspace" autoComplete="off" {...bind('name')} required />
          </Form>
        </Dialog>
      ) : null}
    </Card>
  )
}
