import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { createDemoProfile, deleteDemoProfile } from './operations.ts'

export const demoRoutes: readonly Route[] = [
  route(contract.createDemoProfile, async (context, { body }) => {
    const { profileId, created } = await createDemoProfile(context, body.workspace_id)
    return {
      data: { profile_id: profileId, workspace_id: body.workspace_id, created },
      status: created ? 201 : 200,
    }
  }),
  ...bind(contract, { deleteDemoProfile }),
]
