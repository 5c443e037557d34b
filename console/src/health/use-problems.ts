import { getReadiness, getTrackingQuality, getUnattributed, listConnections } from '@whence/sdk'
import { useFirstReadsFinished } from '../api/first-reads.ts'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { useRead } from '../api/queries.ts'
import { today } from '../format/times.ts'
import type { ReportMeta } from '../report/freshness.tsx'
import { rangeOf } from '../report/presets.ts'
import { type Problem, problemsOf } from './problems.ts'

const POLL_MS = 60_000
const RATES_POLL_MS = 5 * 60_000

/** Amounts of the last 28 days that figures leave out because of missing exchange rates. */
export function useMissingRates(enabled = true): ReportMeta | undefined {
  const { profile } = useProfileContext()
  const { range } = rangeOf({}, today(profile.timezone))
  const query = { date_from: range.from, date_to: range.to, model: 'last_touch' as const }
  const reply = useProfileRead(getUnattributed, { query }, { every: RATES_POLL_MS, enabled }).data
  return reply?.meta
}

/** Current problems of the profile's data. Sources that could not be read are not reported as problems. */
export function useProblems(): Problem[] {
  const { profile } = useProfileContext()
  const enabled = useFirstReadsFinished()
  const connections = useProfileRead(listConnections, {}, { every: POLL_MS, enabled }).data?.data
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
