import { Outlet, useParams } from '@tanstack/react-router'
import { listProfiles, listWorkspaces } from '@whence/sdk'
import { lazy, Suspense, useEffect } from 'react'
import { remember } from '../api/browser-storage.ts'
import { ProfileContext, useProfileContext } from '../api/profile.ts'
import { queryClient, readOptions, useRead } from '../api/queries.ts'
import { HealthBanner } from '../health/health-banner.tsx'
import { useProblems } from '../health/use-problems.ts'
import { Failure } from '../ui/failure.tsx'
import { PageMissing } from './failures.tsx'
import { Sidebar } from './sidebar.tsx'
import { Topbar } from './topbar.tsx'

/** Requests the shell's data unless it is cached. Errors are shown by the components that read it. */
export function prefetchProfilesAndWorkspaces(): void {
  for (const request of [
    queryClient.ensureQueryData(readOptions(listProfiles)),
    queryClient.ensureQueryData(readOptions(listWorkspaces)),
  ])
    request.catch(() => {})
}

/** Layout of all pages of a profile. */
export function ProfileShell() {
  const { profileId } = useParams({ from: '/p/$profileId' })
  const profiles = useRead(listProfiles)
  const workspaces = useRead(listWorkspaces)
  const profile = profiles.data?.data.find(({ id }) => id === profileId)
  const workspace = workspaces.data?.data.find(({ id }) => id === profile?.workspace_id)

  useEffect(() => {
    if (profile) remember('profile', profile.id)
  }, [profile])

  const failed = profiles.error ?? workspaces.error
  if (failed && !(profiles.data && workspaces.data))
    return (
      <main className="gate">
        <Failure
          error={failed}
          retry={() => {
            void profiles.refetch()
            void workspaces.refetch()
          }}
        />
      </main>
    )
  if (!profiles.data || !workspaces.data)
    return <div className="boot" role="status" aria-label="Loading Whence" />
  if (!profile || !workspace) return <PageMissing />

  return (
    <ProfileContext
      value={{ profile, profiles: profiles.data.data, workspace, workspaces: workspaces.data.data }}
    >
      <Frame />
    </ProfileContext>
  )
}

const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }))

function Frame() {
  const problems = useProblems()
  const isDemo = useProfileContext().profile.is_demo
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <Topbar problems={problems} />
        <Sidebar problems={problems} />
        <main className="main" id="main" tabIndex={-1}>
          {isDemo ? (
            <Suspense>
              <Tour />
            </Suspense>
          ) : null}
          <HealthBanner problems={problems} />
          <Outlet />
        </main>
      </div>
    </>
  )
}
