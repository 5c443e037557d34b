import { listProfiles, type Operation } from '@whence/sdk'
import { inProfile, type Profile, type ProfileInput } from './profile.ts'
import { queryClient, readOptions } from './queries.ts'

/** Starts a read that a page will need; the page's own hooks then use the cached response or wait for the same request. */
export type Prefetch = <Input extends ProfileInput, Output>(
  operation: Operation<Input, Output>,
  input: NoInfer<Input>,
) => void

type PrefetchingPage = {
  prefetchReads(prefetch: Prefetch, profile: Profile, search: Record<string, unknown>): void
}

/**
 * A route's loader: requests the page's figures once its code and the profile are loaded. That is before the shell
 * is drawn, and so before the shell's own requests: a browser sends six at a time.
 */
export function prefetch(page: () => Promise<PrefetchingPage>) {
  return ({ params, location }: { params: { profileId: string }; location: { search: object } }): void => {
    const profiles = queryClient.ensureQueryData(readOptions(listProfiles))
    Promise.all([page(), profiles])
      .then(([{ prefetchReads }, { data }]) => {
        const profile = data.find(({ id }) => id === params.profileId)
        if (!profile) return
        const prefetchOne: Prefetch = (operation, input) => {
          const anyOperation: Operation<ProfileInput, unknown> = operation
          void queryClient.prefetchQuery(
            readOptions(anyOperation, inProfile<ProfileInput>(input, profile.id)),
          )
        }
        prefetchReads(prefetchOne, profile, location.search as Record<string, unknown>)
      })
      // Errors are shown by the hook that reads the response.
      .catch(() => {})
  }
}
