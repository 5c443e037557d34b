import { useNavigate } from '@tanstack/react-router'
import { deleteDemoProfile, WhenceError } from '@whence/sdk'
import { useState } from 'react'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { queryClient, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'

export function RemoveDemo() {
  const { workspace } = useProfileContext()
  const [asking, setAsking] = useState(false)
  const remove = useWrite(deleteDemoProfile)
  const navigate = useNavigate()
  const toast = useToast()
  const leave = (text: string) => {
    toast(text)
    queryClient.clear()
    void navigate({ to: '/' })
  }
  const run = () =>
    remove.mutateAsync({ query: { workspace_id: workspace.id } }).then(
      () => leave('The demo is gone'),
      (error: unknown) => {
        // It is gone all the same: what stays is evidence that has to be kept.
        if (!(error instanceof WhenceError) || error.code !== 'demo_purge_blocked') throw error
        leave(messageOf(error))
      },
    )
  return (
    <Card
      title="Demo"
      note="This profile holds sample data. Your own profiles and connections stay as they are."
    >
      <Button kind="danger" onClick={() => setAsking(true)}>
        Remove the demo
      </Button>
      {asking ? (
        <Confirm
          title="Remove the demo?"
          action="Remove the demo"
          onConfirm={run}
          onClose={() => setAsking(false)}
        >
          Its campaigns, people and payments are deleted. You can make it again at any time.
        </Confirm>
      ) : null}
    </Card>
  )
}
