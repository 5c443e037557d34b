import { useNavigate, useSearch } from '@tanstack/react-router'
import { createProfile, createWorkspace, getMe, listWorkspaces } from '@whence/sdk'
import { queryClient, useRead, useWrite } from '../../api/queries.ts'
import { homeTimeZone, PlaceFields } from '../../shell/place-fields.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, useFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Gate } from '../access/gate.tsx'

/** Creates a workspace and its first profile in one form. */
export function Welcome() {
  const { values, bind } = useFields({
    workspace: '',
    name: '',
    timezone: homeTimeZone(),
    currency: 'USD',
  })
  const isUnverified = useRead(getMe).data?.data.email_verified === false
  const isFirst = useRead(listWorkspaces).data?.data.length === 0
  const workspace = useWrite(createWorkspace)
  const profile = useWrite(createProfile)
  const navigate = useNavigate()
  const { install } = useSearch({ from: '/welcome' })

  const create = async () => {
    const { workspace: workspaceName, ...business } = values
    // If creating the profile failed, a retry uses the workspace that was already created.
    const created =
      workspace.data ??
      (await workspace.mutateAsync({
        body: {
          name: workspaceName,
          timezone: values.timezone,
          ...(install === undefined ? {} : { store_install: install }),
        },
      }))
    const { data } = await profile.mutateAsync({
      body: { workspace_id: created.data.workspace_id, ...business },
    })
    queryClient.clear()
    await navigate({ to: '/p/$profileId/overview', params: { profileId: data.profile_id } })
  }
  return (
    <Gate
      title={isFirst ? 'Welcome' : 'New workspace'}
      note="A workspace contains your team and keys. A profile is one business whose ads you measure."
    >
      {install ? <Notice>The store bills this workspace. You can choose its plan there later.</Notice> : null}
      {isUnverified ? (
        <Notice>
          Did someone share a business with you? First open the link in the email that verifies your address.
        </Notice>
      ) : null}
      <Form
        action="Create"
        write={{
          isPending: workspace.isPending || profile.isPending,
          error: workspace.error ?? profile.error,
        }}
        // Errors are shown through `write`.
        onSubmit={() => void create().catch(() => {})}
        wide
      >
        <Field
          label="Workspace"
          placeholder="Your company or agency"
          {...bind('workspace')}
          disabled={workspace.isSuccess}
          required
        />
        <Field label="Business" placeholder="The business whose ads you measure" {...bind('name')} required />
        <PlaceFields bind={bind} />
      </Form>
    </Gate>
  )
}
