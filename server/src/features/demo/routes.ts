import { type Route, route } from '../../http/route.ts'
import { createDemoProfile, deleteDemoProfile } from './contract.ts'
import { createDemo, deleteDemo } from './operations.ts'

export const demoRoutes: readonly Route[] = [
  route(createDemoProfile, async (context, { body }) => {
    const { profileId, created } = await createDemo(context, body.workspace_id)
    return {
      data: { profile_id: profileId, workspace_id: body.workspace_id, created },
      status: created ? 201 : 200,
    }
  }),
  route(deleteDemoProfile, async (context, { query }) => {
    await deleteDemo(context, query.workspace_id)
    return { data: null }
  }),
]
