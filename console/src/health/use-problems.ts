import { getReadiness, getTrackingQuality, getUnattributed, listConnections } from '@whence/sdk'
import { useFirstReadsFinished } from '../api/first-reads.ts'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { useRead } from '../api/queries.ts'
import { today } from '../format/times.ts'
import type { ReportMeta } from '../report/freshness.tsx'
import { rangeOf } from '../report/presets.ts'
import { type Problem, problemsOf } from './problems.ts'

const LOOK_MS = 60_000
const RATES_LOOK_MS = 5 * 60_000

/** What the figures of the last 28 days leave out. */
export function useMissingRates(enabled = true): ReportMeta | undefined {
  const { profile } = useProfileContext()
  const { range } = rangeOf({}, today(profile.timezone))
  const query = { date_from: range.from, date_to: range.to, model: 'last_touch' as const }
  const reply = useProfileRead(getUnattributed, { query }, { every: RATES_LOOK_MS, enabled }).data
  return reply?.meta
}

/** What is wrong with the profile's data now. What could not be read is not called wrong. */
export function useProblems(): Problem[] {
  const { profile } = useProfileContext()
  const enabled = useFirstReadsFinished()
  const connections = useProfileRead(listConnections, {}, { every: LOOK_MS, enabled }).data?.data
  const steps = useRead(getReadiness, { params: { profileId: profile.id } }, { enabled }).data?.data.steps
  const isInstalled = steps?.find(({ step }) => step === 'tracker_installed')?.state === 'done'
  const quality = useProfileRead(getTrackingQuality, {}, { enabled: isInstalled }).data?.data
  const rates = useMissingRates(enabled)
  if (connections === undefined) return []
  return problemsOf({
    connections,
    tracker: isInstalled && !profile.is_demo ? quality : undefined,
    rates: rates && { currency: rates.currency, amounts: rates.fx_missing, missing: rates.fx_missing_rates },
  })
}
