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

/** The end of a workspace, for its owner, who types its name so that it is not a slip. */
export function ArchiveWorkspace() {
  const { workspace } = useProfileContext()
  const [asking, setAsking] = useState(false)
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
      note="All its profiles, keys, connections and people’s access end. It cannot be undone."
      actions={
        <Button kind="danger" onClick={() => setAsking(true)}>
          Archive {workspace.name}
        </Button>
      }
    >
      <p className="muted small">Data is deleted after the retention of the service.</p>
      {asking ? (
        <Dialog
          open
          onClose={() => setAsking(false)}
          title={`Archive ${workspace.name}?`}
          note={`Type ${workspace.name} to confirm. It cannot be undone.`}
        >
          {isPaidByStore ? (
            <Notice tone="warn">
              Your store pays for this plan. It charges until you remove the app from the store.
            </Notice>
          ) : null}
          <Form
            action="Archive for good"
            write={archive}
            disabled={values.name !== workspace.name}
            onSubmit={() => archive.mutate({ params: { workspaceId: workspace.id } }, { onSuccess })}
            onCancel={() => setAsking(false)}
          >
            <Field label="Name of the workspace" autoComplete="off" {...bind('name')} required />
          </Form>
        </Dialog>
      ) : null}
    </Card>
  )
}
