import { listProfiles, type Operation } from '@whence/sdk'
import { inProfile, type Profile, type ProfileInput } from './profile.ts'
import { queryClient, readOptions } from './queries.ts'

/** Asks for what a page is going to read; its own hooks find the answer, or wait for the same one. */
export type Ask = <Input extends ProfileInput, Output>(
  operation: Operation<Input, Output>,
  input: NoInfer<Input>,
) => void

type AskingPage = { ask(ask: Ask, profile: Profile, search: Record<string, unknown>): void }

/**
 * A route's loader: the page's figures are asked for once its code and the profile are here, which is before
 * the shell is drawn, and so before the shell's own questions. A browser asks six at a time.
 */
export function prefetch(page: () => Promise<AskingPage>) {
  return ({ params, location }: { params: { profileId: string }; location: { search: object } }): void => {
    const profiles = queryClient.ensureQueryData(readOptions(listProfiles))
    Promise.all([page(), profiles])
      .then(([{ ask }, { data }]) => {
        const profile = data.find(({ id }) => id === params.profileId)
        if (!profile) return
        const asked: Ask = (operation, input) => {
          const ofAny: Operation<ProfileInput, unknown> = operation
          void queryClient.prefetchQuery(readOptions(ofAny, inProfile<ProfileInput>(input, profile.id)))
        }
        ask(asked, profile, location.search as Record<string, unknown>)
      })
      // Errors are shown where the answer is read.
      .catch(() => {})
  }
}
