/** Breaks the change of revenue down by campaign and unattributed revenue, in minor units. Pure. */
import type { PeriodFigures } from '../client-reports/facts.ts'

export type Contribution = {
  kind: 'campaign' | 'unattributed' | 'other'
  campaignId: string | null
  name: string | null
  now: number
  before: number
  change: number
}

const SHOWN_PER_SIDE = 10

/** Every part that changed, largest gain first; null if the parts of either period do not add up to its revenue. */
export function computeContributions(now: PeriodFigures, before: PeriodFigures): Contribution[] | null {
  if (!addsUp(now) || !addsUp(before)) return null
  const earlier = new Map(before.campaigns.map((line) => [line.id, line]))
  const currentIds = new Set(now.campaigns.map(({ id }) => id))
  const endedCampaigns = before.campaigns
    .filter(({ id }) => !currentIds.has(id))
    .map((line) => ({ ...line, credited: 0 }))
  const campaigns = [...now.campaigns, ...endedCampaigns].map(({ id, name, credited }) =>
    toContribution('campaign', credited!, earlier.get(id)?.credited ?? 0, { campaignId: id, name }),
  )
  return [...campaigns, toContribution('unattributed', now.unattributed, before.unattributed)]
    .filter(({ change }) => change !== 0)
    .sort((a, b) => b.change - a.change || (`${a.campaignId}` < `${b.campaignId}` ? -1 : 1))
}

function addsUp({ campaigns, unattributed, totals }: PeriodFigures): boolean {
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

/** The largest gains and losses. All others are summed into one row, so that the changes still add up. */
export function limitContributions(all: readonly Contribution[]): Contribution[] {
  if (all.length <= 2 * SHOWN_PER_SIDE) return [...all]
  const remaining = all.slice(SHOWN_PER_SIDE, -SHOWN_PER_SIDE)
  const sum = (select: (row: Contribution) => number) =>
    remaining.reduce((total, row) => total + select(row), 0)
  const other = toContribution(
    'other',
    sum((row) => row.now),
    sum((row) => row.before),
  )
  return [...all.slice(0, SHOWN_PER_SIDE), ...all.slice(-SHOWN_PER_SIDE), other]
}

/** The wording for the main contributions: most of the change, its largest part, or gains and losses that offset. */
export type MainContribution =
  | { wording: 'most' | 'largest'; top: Contribution }
  | { wording: 'both'; top: Contribution; bottom: Contribution }

/**
 * One contribution is "most" of the change only if it is more than half of all changes in its direction, and changes in
 * the other direction are less than half as large in total.
 */
export function findMainContribution(all: readonly Contribution[]): MainContribution | null {
  const [top, bottom] = [all[0], all.at(-1)]
  if (top === undefined || bottom === undefined) return null
  const gains = all.reduce((sum, { change }) => sum + Math.max(change, 0), 0)
  const losses = all.reduce((sum, { change }) => sum - Math.min(change, 0), 0)
  if (2 * Math.min(gains, losses) >= Math.max(gains, losses)) return { wording: 'both', top, bottom }
  const main = gains > losses ? top : bottom
  return { wording: 2 * Math.abs(main.change) > Math.max(gains, losses) ? 'most' : 'largest', top: main }
}
