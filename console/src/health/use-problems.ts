import { listConnections } from '@whence/server/features/connections/contract.ts'
import { getReadiness } from '@whence/server/features/profiles/contract.ts'
import { getTrackingQuality } from '@whence/server/features/tracking/contract.ts'
import { usePlace, useProfileRead } from '../api/profile.ts'
import { useRead } from '../api/queries.ts'
import { type Problem, problemsOf } from './problems.ts'

const LOOK_MS = 60_000

/** What is wrong with the profile's data now. What could not be read is not called wrong. */
export function useProblems(): Problem[] {
  const { profile } = usePlace()
  const connections = useProfileRead(listConnections, {}, { every: LOOK_MS }).data?.data
  const steps = useRead(getReadiness, { params: { profileId: profile.id } }).data?.data.steps
  const isInstalled = steps?.find(({ step }) => step === 'tracker_installed')?.state === 'done'
  const quality = useProfileRead(getTrackingQuality, {}, { enabled: isInstalled }).data?.data
  if (connections === undefined) return []
  return problemsOf({ connections, tracker: isInstalled && !profile.is_demo ? quality : undefined })
}
