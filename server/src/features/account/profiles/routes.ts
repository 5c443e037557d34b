import { phoneCountryOf } from '../../../platform/contract/countries.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import { checkGrantNames } from '../apps/grants.ts'
import {
  adoptProfile,
  archiveProfile,
  createProfile,
  getReadiness,
  listProfiles,
  listWorkspaceProfiles,
  setEntitlement,
  updateProfile,
} from './contract.ts'
import * as governing from './governing.ts'
import * as operations from './operations.ts'
import type { ProfileRow } from './queries.ts'
import * as readiness from './readiness.ts'

const toProfile = (row: ProfileRow) => ({ ...row, country: phoneCountryOf(row) })
const toKeys = (keys: { apiKey: string; connectionsKey: string | null } | null) =>
  keys === null
    ? {}
    : {
        api_key: keys.apiKey,
        ...(keys.connectionsKey === null ? {} : { connections_key: keys.connectionsKey }),
      }

export const profileRoutes: readonly Route[] = [
  route(listWorkspaceProfiles, async (context, { params: { workspaceId } }) => ({
    data: (await operations.listWorkspaceProfiles(context, workspaceId)).map(toProfile),
    meta: { workspace_id: workspaceId },
  })),
  route(listProfiles, async (context, { query }) => ({
    data: (await operations.listProfiles(context, query.workspace_id ?? null)).map(toProfile),
  })),
  route(getReadiness, async (context, { params: { profileId } }) => ({
    data: await readiness.getReadiness(context, profileId),
    meta: { profile_id: profileId },
  })),
  route(
    createProfile,
    async (context, { body }) => {
      const { profile, keys } = await operations.createProfile(context, body)
      const ids = { profile_id: profile.id, workspace_id: profile.workspace_id }
      return { data: keys === null ? { ...toProfile(profile), ...ids } : { ...ids, ...toKeys(keys) } }
    },
    ({ body }, { caller }) => operations.checkNewProfile(body, caller),
  ),
  route(updateProfile, async (context, { params: { profileId }, body }) => ({
    data: toProfile(await operations.updateProfile(context, profileId, body)),
  })),
  ...bind({ archiveProfile }, { archiveProfile: governing.archiveProfile }),
  route(
    adoptProfile,
    async (context, { params: { profileId }, body }) => {
      const { workspaceId, adopted, keys } = await governing.adoptProfile(context, profileId, body.scopes)
      return { data: { profile_id: profileId, workspace_id: workspaceId, adopted, ...toKeys(keys) } }
    },
    ({ body }) => checkGrantNames(body.scopes),
  ),
  ...bind({ setEntitlement }, { setEntitlement: governing.setEntitlement }),
]
