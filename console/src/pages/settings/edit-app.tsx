import { type DataOf, listOAuthApps, updateOAuthApp } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useWrite } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'

type App = DataOf<typeof listOAuthApps>[number]

const listOf = (text: string) =>
  text
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '')

/** Edits an app's name and addresses. Its scopes are fixed at registration. */
export function EditApp({ app, onClose }: { app: App; onClose: () => void }) {
  const { workspace } = useProfileContext()
  const { values, bind } = useFields({
    name: app.name,
    redirects: app.redirect_uris.join(', '),
    origins: app.allowed_return_origins.join(', '),
  })
  const update = useWrite(updateOAuthApp, [listOAuthApps])
  const submit = () =>
    update.mutate(
      {
        params: { workspaceId: workspace.id, appId: app.id },
        body: {
          name: values.name,
          redirect_uris: listOf(values.redirects),
          allowed_return_origins: listOf(values.origins),
        },
      },
      { onSuccess: onClose },
    )
  return (
    <Dialog open onClose={onClose} title={`App ${app.name}`}>
      <Form action="Save app" write={update} onSubmit={submit} onCancel={onClose}>
        <Field label="Name" {...bind('name')} required />
        <Field label="Return addresses" hint="Separated by commas." {...bind('redirects')} />
        <Field
          label="Origins that hand-offs may return to"
          hint="Separated by commas."
          {...bind('origins')}
        />
      </Form>
    </Dialog>
  )
}
