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
  const [confirming, setConfirming] = useState(false)
  const remove = useWrite(deleteDemoProfile)
  const navigate = useNavigate()
  const toast = useToast()
  const goHome = (text: string) => {
    toast(text)
    queryClient.clear()
    void navigate({ to: '/' })
  }
  const run = () =>
    remove.mutateAsync({ query: { workspace_id: workspace.id } }).then(
      () => goHome('Demo removed'),
      (error: unknown) => {
        // The demo is removed anyway; only records that must be retained are kept.
        if (!(error instanceof WhenceError) || error.code !== 'demo_purge_blocked') throw error
        goHome(messageOf(error))
      },
    )
  return (
    <Card
      title="Demo"
      note="This profile contains sample data. Your own profiles and connections are not affected."
    >
      <Button kind="danger" onClick={() => setConfirming(true)}>
        Remove demo
      </Button>
      {confirming ? (
        <Confirm
          title="Remove demo?"
          action="Remove demo"
          onConfirm={run}
          onClose={() => setConfirming(false)}
        >
          Its campaigns, people and payments are deleted. You can create it again at any time.
        </Confirm>
      ) : null}
    </Card>
  )
}
