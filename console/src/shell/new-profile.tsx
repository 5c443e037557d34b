import { createProfile, listProfiles } from '@whence/sdk'
import { useProfileContext } from '../api/profile.ts'
import { useWrite } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFields } from '../ui/form.tsx'
import { homeTimeZone, PlaceFields } from './place-fields.tsx'

/** Creates another profile in the current workspace. */
export function NewProfile({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (profileId: string) => void
}) {
  const { workspace, profile } = useProfileContext()
  const { values, bind } = useFields({ name: '', timezone: homeTimeZone(), currency: profile.currency })
  const create = useWrite(createProfile, [listProfiles])
  const submit = () =>
    create.mutate(
      { body: { workspace_id: workspace.id, ...values } },
      {
        onSuccess: ({ data }) => {
          onClose()
          onCreated(data.profile_id)
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="New profile"
      note={`A profile is one business whose ads you measure. It will belong to ${workspace.name}.`}
    >
      <Form action="Create profile" write={create} onSubmit={submit} onCancel={onClose}>
        <Field label="Name" {...bind('name')} required />
        <PlaceFields bind={bind} />
      </Form>
    </Dialog>
  )
}
