/** The open profile. Reads and writes of its pages are scoped to it. */

import type { UseQueryResult } from '@tanstack/react-query'
import type { CallOptions, DataOf, listProfiles, listWorkspaces, Operation } from '@whence/sdk'
import { createContext, useContext } from 'react'
import { type ReadArguments, useRead, useWrite } from './queries.ts'

export type Profile = DataOf<typeof listProfiles>[number]
export type Workspace = DataOf<typeof listWorkspaces>[number]
export type ProfileContextValue = {
  profile: Profile
  profiles: Profile[]
  workspace: Workspace
  workspaces: Workspace[]
}

export const ProfileContext = createContext<ProfileContextValue | null>(null)

export function useProfileContext(): ProfileContextValue {
  const context = useContext(ProfileContext)
  if (context === null) throw new Error('useProfileContext is only available on the pages of a profile')
  return context
}

/** Input of operations that take a profile. */
export type ProfileInput = { query?: { profile_id?: string } }

export function useProfileRead<Input extends ProfileInput, Output>(
  operation: Operation<Input, Output>,
  ...[input, options]: ReadArguments<Input>
): UseQueryResult<Output> {
  const { profile } = useProfileContext()
  const anyOperation: Operation<ProfileInput, Output> = operation
  return useRead(anyOperation, inProfile<ProfileInput>(input ?? {}, profile.id), options)
}

export function useProfileWrite<Input extends ProfileInput, Output>(
  operation: Operation<Input, Output>,
  stale: readonly { name: string }[] = [],
) {
  const { profile } = useProfileContext()
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
