import { changeEmail } from '@whence/sdk'
import { useWrite } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFields } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { useToast } from '../ui/toast.tsx'

export function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { values, bind } = useFields({ email: '', current_password: '' })
  const change = useWrite(changeEmail)
  const toast = useToast()
  const onSuccess = () => {
    toast('An email with a link is on its way to the new address')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change email"
      note="We send a link to the new address. It becomes active once you open the link and confirm."
    >
      <Form
        action="Send the link"
        write={change}
        onSubmit={() => change.mutate({ body: values }, { onSuccess })}
        onCancel={onClose}
      >
        <Field label="New email" type="email" autoComplete="email" {...bind('email')} required />
        <PasswordField label="Current password" {...bind('current_password')} />
      </Form>
    </Dialog>
  )
}
