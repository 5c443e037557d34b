/** The profile whose pages are open; every read and write of a page is about it. */

import type { listProfiles } from '@whence/server/features/account/profiles/contract.ts'
import type { listWorkspaces } from '@whence/server/features/account/workspaces/contract.ts'
import type { Schema } from '@whence/server/platform/contract/client.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { createContext, useContext } from 'react'
import type { Entry, InputOf } from './call.ts'
import { type ReadOptions, useRead, useWrite } from './queries.ts'

export type Profile = ReplyOf<typeof listProfiles>[number]
export type Workspace = ReplyOf<typeof listWorkspaces>[number]
export type Place = { profile: Profile; profiles: Profile[]; workspace: Workspace; workspaces: Workspace[] }

export const PlaceContext = createContext<Place | null>(null)

export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (place === null) throw new Error('Only inside the pages of a profile')
  return place
}

export function useProfileRead<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  input: InputOf<P, Q, B> = {},
  options: ReadOptions = {},
) {
  const { profile } = usePlace()
  return useRead(entry, inProfile(input, profile.id), options)
}

export function useProfileWrite<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  stale: readonly { name: string }[] = [],
) {
  const { profile } = usePlace()
  const write = useWrite(entry, stale)
  const withProfile = (input: InputOf<P, Q, B>) => inProfile(input, profile.id)
  return {
    ...write,
    mutate: (input: InputOf<P, Q, B>, options?: Parameters<typeof write.mutate>[1]) =>
      write.mutate(withProfile(input), options),
    mutateAsync: (input: InputOf<P, Q, B>) => write.mutateAsync(withProfile(input)),
  }
}

export function inProfile<P extends Schema, Q extends Schema, B extends Schema>(
  input: InputOf<P, Q, B>,
  profileId: string,
): InputOf<P, Q, B> {
  return { ...input, query: { ...input.query, profile_id: profileId } as InputOf<P, Q, B>['query'] }
}
