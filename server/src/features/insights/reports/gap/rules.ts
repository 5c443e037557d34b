/**
 * Why a platform counts other sales than we do. Pure. What the platform claims by its own rule is worked out from the
 * clicks that were seen; each sale that only one side counts then has a reason (measured). What the platform reports
 * beyond that rule can only be assigned to likely reasons (inferred), and the rest stays unexplained.
 */
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { GapKind } from './contract.ts'

/**
 * Days after a click in which a platform counts a sale, on the day of the click: the usual defaults of Meta and Google
 * Ads, from general knowledge: no page of theirs could be read (2026-11-17). An account may have set another window.
 */
const clickWindowDays = new Map([
  ['social', 7],
  ['engine', 30],
])
const OTHER_WINDOW_DAYS = 30

export const windowDaysOf = (platform: string): number => clickWindowDays.get(platform) ?? OTHER_WINDOW_DAYS

export type GapTouch = {
  at: number
  day: string
  platform: string | null
  /** Names one of the entities that are compared. */
  isOwn: boolean
  /** Names any ad, ad set or campaign. */
  isNamed: boolean
}

export type GapSale = {
  id: string
  at: number
  day: string
  /** Cash in the report currency; 0 for other outcomes, null without a rate. */
  valueMinor: number | null
  /** In order of time. */
  touches: readonly GapTouch[]
  /** What the model credits to the compared entities; null where it credits them nothing. */
  creditedMinor: number | null
}

export type GapScope = {
  platform: string
  /** All of a platform, so that clicks without an ad belong to it. */
  isWhole: boolean
  from: string
  to: string
  lookbackDays: number
  /** The last day that the platform has reported. */
  deliveryThrough: string | null
}

export type GapStep = {
  kind: GapKind
  label: 'measured' | 'inferred'
  conversionsMilli: number
  valueMinor: number
  sales: GapSale[]
}

/** The last click of the platform within its window. */
function claimOf(sale: GapSale, platform: string): GapTouch | undefined {
  const windowMs = windowDaysOf(platform) * DAY_MS
  return sale.touches.findLast(
    (touch) => touch.platform === platform && touch.at <= sale.at && sale.at - touch.at <= windowMs,
  )
}

type Sides = { isClaimed: boolean; isOurs: boolean; kind: GapKind | null }

/** Whether each side counts the sale, and why only one does. */
function compareSale(sale: GapSale, scope: GapScope): Sides {
  const isWithin = (day: string) => day >= scope.from && day <= scope.to
  const claim = claimOf(sale, scope.platform)
  const isOwnClaim = claim !== undefined && (claim.isOwn || (scope.isWhole && !claim.isNamed))
  const isClaimed = isOwnClaim && isWithin(claim.day)
  const isOurs = sale.creditedMinor !== null && isWithin(sale.day)
  if (isClaimed === isOurs) return { isClaimed, isOurs, kind: null }
  return { isClaimed, isOurs, kind: isClaimed ? missingHere(claim!) : missingThere() }

  function missingHere(touch: GapTouch): GapKind {
    if (sale.creditedMinor !== null) return 'different_day'
    if (!touch.isNamed) return 'untagged_click'
    if (sale.at - touch.at > scope.lookbackDays * DAY_MS) return 'outside_our_lookback'
    const others = new Set(sale.touches.map(({ platform }) => platform))
    for (const platform of others)
      if (platform !== null && platform !== scope.platform && claimOf(sale, platform) !== undefined)
        return 'claimed_by_two_platforms'
    return 'credited_elsewhere'
  }

  function missingThere(): GapKind {
    if (isOwnClaim) return 'different_day'
    return claim === undefined ? 'outside_platform_window' : 'credited_elsewhere'
  }
}

type Reported = { conversionsMilli: number; valueMinor: number | null }

/**
 * The steps from the platform's figures to ours; they sum to the gap exactly. A platform that reports no value is
 * compared by count only.
 */
export function explainGap(
  reported: Reported,
  oursMinor: number,
  sales: readonly GapSale[],
  scope: GapScope,
): GapStep[] {
  const compared = sales.map((sale) => ({ sale, ...compareSale(sale, scope) }))
  const steps = new Map<GapKind, GapStep>()
  const add = (
    kind: GapKind,
    label: GapStep['label'],
    milli: number,
    minor: number,
    own: readonly GapSale[],
  ) => {
    const step = steps.get(kind) ?? { kind, label, conversionsMilli: 0, valueMinor: 0, sales: [] }
    step.conversionsMilli += milli
    step.valueMinor += minor
    step.sales.push(...own)
    if (label === 'inferred') step.label = label
    steps.set(kind, step)
  }
  let creditedMinor = 0
  for (const { sale, isClaimed, isOurs, kind } of compared) {
    const claimedMinor = isClaimed ? (sale.valueMinor ?? 0) : 0
    const ownMinor = isOurs ? sale.creditedMinor! : 0
    creditedMinor += ownMinor
    if (sale.valueMinor === null && (isClaimed || isOurs)) add('currency', 'measured', 0, 0, [sale])
    if (kind !== null) add(kind, 'measured', isOurs ? 1000 : -1000, ownMinor - claimedMinor, [sale])
    // Both count it, and a part of its money is credited to other touches.
    else if (ownMinor !== claimedMinor)
      add('credited_elsewhere', 'measured', 0, ownMinor - claimedMinor, [sale])
  }
  if (oursMinor !== creditedMinor) add('refunded', 'measured', 0, oursMinor - creditedMinor, [])
  const claimed = compared.filter(({ isClaimed }) => isClaimed).map(({ sale }) => sale)
  const restMilli = reported.conversionsMilli - claimed.length * 1000
  const claimedMinor = claimed.reduce((sum, sale) => sum + (sale.valueMinor ?? 0), 0)
  const restMinor = reported.valueMinor === null ? null : reported.valueMinor - claimedMinor
  for (const part of inferRest(restMilli, restMinor, compared, scope))
    add(part.kind, part.label, -part.milli, -part.minor, part.sales)
  return GapKind.options.flatMap((kind) => {
    const step = steps.get(kind)
    if (step === undefined) return []
    return [reported.valueMinor === null ? { ...step, valueMinor: 0 } : step]
  })
}

type Part = { kind: GapKind; label: GapStep['label']; milli: number; minor: number; sales: GapSale[] }
/** Conversions of so many last days may still be missing in what the platform has reported. */
const DELAY_DAYS = 3

/** What the platform reports beyond its rule, or falls short of it, by the likeliest reasons first. */
function inferRest(
  restMilli: number,
  restMinor: number | null,
  compared: readonly ({ sale: GapSale } & Sides)[],
  scope: GapScope,
): Part[] {
  const parts: Part[] = []
  let left = restMilli
  const take = (kind: GapKind, sales: GapSale[]) => {
    const milli = Math.min(Math.abs(left), sales.length * 1000) * Math.sign(left)
    if (milli === 0) return
    parts.push({ kind, label: 'inferred', milli, minor: 0, sales })
    left -= milli
  }
  const isWithin = ({ day }: GapSale) => day >= scope.from && day <= scope.to
  const unclaimed = compared.filter(({ isClaimed }) => !isClaimed).map(({ sale }) => sale)
  if (left > 0) {
    const isUntagged = (sale: GapSale) => claimOf(sale, scope.platform)?.isNamed === false
    take(
      'untagged_click',
      scope.isWhole ? [] : unclaimed.filter((sale) => isWithin(sale) && isUntagged(sale)),
    )
    const isUnseen = ({ touches }: GapSale) => touches.every(({ platform }) => platform !== scope.platform)
    take(
      'not_seen',
      unclaimed.filter((sale) => isWithin(sale) && isUnseen(sale)),
    )
    // Parts of a conversion are the platform's estimate.
    const fraction = left % 1000
    if (fraction > 0) {
      parts.push({
        kind: 'platform_modelled_or_delayed',
        label: 'inferred',
        milli: fraction,
        minor: 0,
        sales: [],
      })
      left -= fraction
    }
  } else {
    const claimed = compared.filter(({ isClaimed }) => isClaimed).map(({ sale }) => sale)
    take(
      'platform_modelled_or_delayed',
      claimed.filter((sale) => isRecent(sale.day, scope.deliveryThrough)),
    )
  }
  const unassignedMinor = restMinor === null ? 0 : assignMoney(parts, restMinor, left === 0)
  if (left !== 0 || unassignedMinor !== 0)
    parts.push({ kind: 'unexplained', label: 'inferred', milli: left, minor: unassignedMinor, sales: [] })
  return parts
}

/**
 * A reason that takes all of its sales takes their money too. What is left goes to the one reason that took only some,
 * where nothing else is open; otherwise it is returned.
 */
function assignMoney(parts: readonly Part[], restMinor: number, isCounted: boolean): number {
  let left = restMinor
  const takesAll = ({ milli, sales }: Part) => sales.length > 0 && Math.abs(milli) === sales.length * 1000
  for (const part of parts.filter(takesAll)) {
    part.minor = Math.sign(part.milli) * part.sales.reduce((sum, sale) => sum + (sale.valueMinor ?? 0), 0)
    left -= part.minor
  }
  const [open, ...others] = parts.filter((part) => !takesAll(part))
  if (!isCounted || open === undefined || others.length > 0) return left
  open.minor = left
  return 0
}

function isRecent(day: string, through: string | null): boolean {
  if (through === null) return true
  return Date.parse(day) > Date.parse(through) - DELAY_DAYS * DAY_MS
}
