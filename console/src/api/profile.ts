/** The profile whose pages are open; every read and write of a page is about it. */

import type { UseQueryResult } from '@tanstack/react-query'
import type { CallOptions, DataOf, listProfiles, listWorkspaces, Operation } from '@whence/sdk'
import { createContext, useContext } from 'react'
import { type ReadArguments, useRead, useWrite } from './queries.ts'

export type Profile = DataOf<typeof listProfiles>[number]
export type Workspace = DataOf<typeof listWorkspaces>[number]
export type Place = { profile: Profile; profiles: Profile[]; workspace: Workspace; workspaces: Workspace[] }

export const PlaceContext = createContext<Place | null>(null)

export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (place === null) throw new Error('Only inside the pages of a profile')
  return place
}

/** Of operations that are about one profile. */
export type ProfileInput = { query?: { profile_id?: string } }

export function useProfileRead<Input extends ProfileInput, Output>(
  operation: Operation<Input, Output>,
  ...[input, options]: ReadArguments<Input>
): UseQueryResult<Output> {
  const { profile } = usePlace()
  const ofAny: Operation<ProfileInput, Output> = operation
  return useRead(ofAny, inProfile<ProfileInput>(input ?? {}, profile.id), options)
}

export function useProfileWrite<Input extends ProfileInput, Output>(
  operation: Operation<Input, Output>,
  stale: readonly { name: string }[] = [],
) {
  const { profile } = usePlace()
  const write = useWrite(operation, stale)
  const withProfile = (input: Input & CallOptions) => inProfile(input, profile.id)
  return {
    ...write,
    mutate: (input: Input & CallOptions, options?: Parameters<typeof write.mutate>[1]) =>
      write.mutate(withProfile(input), options),
    mutateAsync: (input: Input & CallOptions) => write.mutateAsync(withProfile(input)),
  }
}

export function inProfile<Input extends { query?: object }>(
  input: Input,
  profileId: string,
): Input & { query: { profile_id: string } } {
  return { ...input, query: { ...input.query, profile_id: profileId } }
}
