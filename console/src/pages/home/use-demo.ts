import { useNavigate } from '@tanstack/react-router'
import { createDemoProfile, listProfiles } from '@whence/sdk'
import { useWrite } from '../../api/queries.ts'

/** Creates a workspace's demo unless it exists, and opens it. */
export function useDemo(workspaceId: string) {
  const navigate = useNavigate()
  const create = useWrite(createDemoProfile, [listProfiles])
  const open = () =>
    create.mutate(
      { body: { workspace_id: workspaceId } },
      {
        onSuccess: ({ data }) =>
          void navigate({ to: '/p/$profileId/overview', params: { profileId: data.profile_id } }),
      },
    )
  return { open, isPending: create.isPending, error: create.error }
}
