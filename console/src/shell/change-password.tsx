import { changePassword } from '@whence/sdk'
import { useWrite } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useFields } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { useToast } from '../ui/toast.tsx'

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({ current_password: '', new_password: '' })
  const change = useWrite(changePassword)
  const toast = useToast()
  const onSuccess = () => {
    toast('Password changed')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change password"
      note="You will be signed out on other devices, and your tokens stop working."
    >
      <Form
        action="Change password"
        write={change}
        onSubmit={() => change.mutate({ body: values }, { onSuccess })}
        onCancel={onClose}
      >
        <PasswordField label="Current password" {...bind('current_password')} />
        <PasswordField label="New password" fresh {...bind('new_password')} />
      </Form>
    </Dialog>
  )
}
