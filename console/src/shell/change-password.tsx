import { changePassword } from '@whence/server/features/access/contract.ts'
import { type SubmitEvent, useState } from 'react'
import { messageOf } from '../api/call.ts'
import { useWrite } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const change = useWrite(changePassword)
  const toast = useToast()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    change.mutate(
      { body: { current_password: current, new_password: fresh } },
      {
        onSuccess: () => {
          toast('Password changed')
          onClose()
        },
      },
    )
  }
  return (
    <Dialog open onClose={onClose} title="Change password" note="Every other session of yours ends.">
      <form className="form" onSubmit={submit}>
        {change.isError ? <Notice tone="bad">{messageOf(change.error)}</Notice> : null}
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          required
        />
        <Field
          label="New password"
          hint="At least 12 characters."
          type="password"
          autoComplete="new-password"
          minLength={12}
          value={fresh}
          onChange={(event) => setFresh(event.target.value)}
          required
        />
        <div className="form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
