/** What the change of revenue consists of: campaigns and unattributed revenue, in minor units. Pure. */
import type { Stretch } from '../client-reports/facts.ts'

export type Contribution = {
  kind: 'campaign' | 'unattributed' | 'other'
  campaignId: string | null
  name: string | null
  now: number
  before: number
  change: number
}

const SHOWN_PER_SIDE = 10

/** Every part that changed, the largest gain first; null where the parts of either stretch are not its whole revenue. */
export function contributionsOf(now: Stretch, before: Stretch): Contribution[] | null {
  if (!isWhole(now) || !isWhole(before)) return null
  const earlier = new Map(before.campaigns.map((line) => [line.id, line]))
  const later = new Set(now.campaigns.map(({ id }) => id))
  const gone = before.campaigns.filter(({ id }) => !later.has(id)).map((line) => ({ ...line, credited: 0 }))
  const campaigns = [...now.campaigns, ...gone].map(({ id, name, credited }) =>
    toContribution('campaign', credited!, earlier.get(id)?.credited ?? 0, { campaignId: id, name }),
  )
  return [...campaigns, toContribution('unattributed', now.unattributed, before.unattributed)]
    .filter(({ change }) => change !== 0)
    .sort((a, b) => b.change - a.change || (`${a.campaignId}` < `${b.campaignId}` ? -1 : 1))
}

function isWhole({ campaigns, unattributed, totals }: Stretch): boolean {
  if (campaigns.some(({ credited }) => credited === null)) return false
  return campaigns.reduce((sum, { credited }) => sum + credited!, unattributed) === totals.revenue
}

function toContribution(
  kind: Contribution['kind'],
  now: number,
  before: number,
  { campaignId = null, name = null }: { campaignId?: string | null; name?: string | null } = {},
): Contribution {
  return { kind, campaignId, name, now, before, change: now - before }
}

/** The largest gains and losses, and all others in one row, so that the changes still add up. */
export function shownOf(all: readonly Contribution[]): Contribution[] {
  if (all.length <= 2 * SHOWN_PER_SIDE) return [...all]
  const rest = all.slice(SHOWN_PER_SIDE, -SHOWN_PER_SIDE)
  const sum = (of: (row: Contribution) => number) => rest.reduce((total, row) => total + of(row), 0)
  const other = toContribution(
    'other',
    sum((row) => row.now),
    sum((row) => row.before),
  )
  return [...all.slice(0, SHOWN_PER_SIDE), ...all.slice(-SHOWN_PER_SIDE), other]
}

export type Mover =
  | { says: 'most' | 'largest'; top: Contribution }
  | { says: 'both'; top: Contribution; bottom: Contribution }

/**
 * What can be shown of the change: one part is "most" of it only if it is more than half of all that moved the same way
 * and less than half as much moved the other way.
 */
export function moverOf(all: readonly Contribution[]): Mover | null {
  const [top, bottom] = [all[0], all.at(-1)]
  if (top === undefined || bottom === undefined) return null
  const gains = all.reduce((sum, { change }) => sum + Math.max(change, 0), 0)
  const losses = all.reduce((sum, { change }) => sum - Math.min(change, 0), 0)
  if (2 * Math.min(gains, losses) >= Math.max(gains, losses)) return { says: 'both', top, bottom }
  const main = gains > losses ? top : bottom
  return { says: 2 * Math.abs(main.change) > Math.max(gains, losses) ? 'most' : 'largest', top: main }
}
