/** What may be changed at an ad platform, by the state that the platform reports now. */
import type { AdLevel } from '../../facts/ads/entities.ts'

const FLOOR_MINOR = 100

const gone = (status: string | null) => status === 'ARCHIVED' || status === 'DELETED' || status === 'REMOVED'

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

export function decideStatus(level: AdLevel, current: string, wanted: WantedStatus): Decision {
  if (current === wanted) return { outcome: 'no_change' }
  const from = wanted === 'PAUSED' ? 'ACTIVE' : 'PAUSED'
  if (current === from || (current === 'ENABLED' && wanted === 'PAUSED')) return { outcome: 'change' }
  if (current === 'ENABLED') return { outcome: 'no_change' }
  return { outcome: 'refused', code: statusRefusal(level, wanted) }
}

function statusRefusal(level: AdLevel, wanted: WantedStatus): Refusal {
  if (level === 'ad_set') return 'adset_not_editable'
  if (level === 'ad') return 'invalid_state'
  return wanted === 'PAUSED' ? 'campaign_not_pausable' : 'campaign_not_resumable'
}

export function decideBudget(args: {
  level: 'campaign' | 'ad_set'
  status: string
  campaignStatus: string | null
  /** The live budget of the type that is requested; null where there is none. */
  currentMinor: number | null
  wantedMinor: number
}): Decision {
  if (gone(args.status) || (args.level === 'ad_set' && gone(args.campaignStatus)))
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
