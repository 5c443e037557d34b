/** Which changes are allowed at an ad platform, given its current state. */
import type { AdLevel } from '../../facts/ads/entities.ts'

const FLOOR_MINOR = 100

const isRemoved = (status: string | null) =>
  status === 'ARCHIVED' || status === 'DELETED' || status === 'REMOVED'

export type Refusal =
  | 'campaign_not_pausable'
  | 'campaign_not_resumable'
  | 'campaign_not_editable'
  | 'adset_not_editable'
  | 'invalid_state'
  | 'budget_change_out_of_bounds'

export type Decision =
  | { outcome: 'change' }
  | { outcome: 'no_change' }
  | { outcome: 'refused'; code: Refusal }

export type WantedStatus = 'ACTIVE' | 'PAUSED'

export function decideStatus(level: AdLevel, current: string, targetStatus: WantedStatus): Decision {
  if (current === targetStatus) return { outcome: 'no_change' }
  const from = targetStatus === 'PAUSED' ? 'ACTIVE' : 'PAUSED'
  if (current === from || (current === 'ENABLED' && targetStatus === 'PAUSED')) return { outcome: 'change' }
  if (current === 'ENABLED') return { outcome: 'no_change' }
  return { outcome: 'refused', code: statusRefusal(level, targetStatus) }
}

function statusRefusal(level: AdLevel, targetStatus: WantedStatus): Refusal {
  if (level === 'ad_set') return 'adset_not_editable'
  if (level === 'ad') return 'invalid_state'
  return targetStatus === 'PAUSED' ? 'campaign_not_pausable' : 'campaign_not_resumable'
}

export function decideBudget(args: {
  level: 'campaign' | 'ad_set'
  status: string
  campaignStatus: string | null
  /** The current budget of the requested type; null if there is none. */
  currentMinor: number | null
  wantedMinor: number
}): Decision {
  if (isRemoved(args.status) || (args.level === 'ad_set' && isRemoved(args.campaignStatus)))
    return {
      outcome: 'refused',
      code: args.level === 'campaign' ? 'campaign_not_editable' : 'adset_not_editable',
    }
  const { currentMinor, wantedMinor } = args
  if (wantedMinor === currentMinor) return { outcome: 'no_change' }
  const isTooFar = currentMinor === null || Math.abs(wantedMinor - currentMinor) * 2 > currentMinor
  return isTooFar || wantedMinor < FLOOR_MINOR
    ? { outcome: 'refused', code: 'budget_change_out_of_bounds' }
    : { outcome: 'change' }
}
