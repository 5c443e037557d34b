import { listProfiles } from '@whence/server/features/account/profiles/contract.ts'
import type { Schema } from '@whence/server/platform/contract/client.ts'
import type { Entry, InputOf } from './call.ts'
import { inProfile, type Profile } from './profile.ts'
import { queryClient, readOptions } from './queries.ts'

/** Asks for what a page is going to read; its own hooks find the answer, or wait for the same one. */
export type Ask = <P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  entry: Entry<P, Q, B, R>,
  input: InputOf<P, Q, B>,
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
        const asked: Ask = (entry, input) =>
          void queryClient.prefetchQuery(readOptions(entry, inProfile(input, profile.id)))
        ask(asked, profile, location.search as Record<string, unknown>)
      })
      // Errors are shown where the answer is read.
      .catch(() => {})
  }
}
