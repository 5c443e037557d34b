import { Navigate } from '@tanstack/react-router'
import { listProfiles } from '@whence/sdk'
import { readStored } from '../../api/browser-storage.ts'
import { useRead } from '../../api/queries.ts'
import { Failure } from '../../ui/failure.tsx'
import { firstProfile } from './first-profile.ts'

/** Redirects to the right profile, or to the page that creates the first one. */
export function Home() {
  const profiles = useRead(listProfiles)
  if (profiles.isError && !profiles.data)
    return (
      <main className="gate">
        <Failure error={profiles.error} retry={() => void profiles.refetch()} />
      </main>
    )
  if (!profiles.data) return <div className="boot" role="status" aria-label="Loading Whence" />
  const profile = firstProfile(profiles.data.data, readStored('profile'))
  if (!profile) return <Navigate to="/welcome" replace />
  return <Navigate to="/p/$profileId/overview" params={{ profileId: profile.id }} replace />
}
