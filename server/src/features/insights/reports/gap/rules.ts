/**
 * Why a platform's count of sales differs from ours. Pure. The sales that the platform claims by its usual rule are
 * computed from the recorded clicks; each sale that only one side counts then has a reason (measured). The rest of the
 * platform's count can only be assigned to likely reasons (inferred); the remainder is unexplained.
 */
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { GapKind } from './contract.ts'

/**
 * Click windows: days after a click in which a platform counts a sale, on the day of the click. The usual defaults of
 * Meta and Google Ads, from general knowledge: their pages could not be read (2026-11-17). An account may use another.
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
  /** Names one of the compared entities. */
  isOwn: boolean
  /** Names any ad, ad set or campaign. */
  isNamed: boolean
}

export type GapSale = {
  id: string
  at: number
  day: string
  /** Cash in the report currency; 0 for other outcomes, null without an exchange rate. */
  valueMinor: number | null
  /** Oldest first. */
  touches: readonly GapTouch[]
  /** Credit of the compared entities under the model; null without any. */
  creditedMinor: number | null
}

export type GapScope = {
  platform: string
  /** The whole platform is compared, so clicks without an ad belong to it. */
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

/** Whether each side counts the sale, and if only one does, why. */
function compareSale(sale: GapSale, scope: GapScope): Sides {
  const isWithin = (day: string) => day >= scope.from && day <= scope.to
  const claim = claimOf(sale, scope.platform)
  const isOwnClaim = claim !== undefined && (claim.isOwn || (scope.isWhole && !claim.isNamed))
  const isClaimed = isOwnClaim && isWithin(claim.day)
  const isOurs = sale.creditedMinor !== null && isWithin(sale.day)
  if (isClaimed === isOurs) return { isClaimed, isOurs, kind: null }
  return { isClaimed, isOurs, kind: isClaimed ? whyNotCredited(claim!) : whyNotClaimed() }

  function whyNotCredited(touch: GapTouch): GapKind {
    if (sale.creditedMinor !== null) return 'different_day'
    if (!touch.isNamed) return 'untagged_click'
    if (sale.at - touch.at > scope.lookbackDays * DAY_MS) return 'outside_our_lookback'
    const platforms = new Set(sale.touches.map(({ platform }) => platform))
    for (const platform of platforms)
      if (platform !== null && platform !== scope.platform && claimOf(sale, platform) !== undefined)
        return 'claimed_by_two_platforms'
    return 'credited_elsewhere'
  }

  function whyNotClaimed(): GapKind {
    if (isOwnClaim) return 'different_day'
    return claim === undefined ? 'outside_platform_window' : 'credited_elsewhere'
  }
}

type Reported = { conversionsMilli: number; valueMinor: number | null }

/** In these steps sales are added and subtracted, so that their money may have another sign than their number. */
const twoWay: ReadonlySet<GapKind> = new Set(['different_day', 'credited_elsewhere'])
/** Steps without conversions. */
const moneyOnly: ReadonlySet<GapKind> = new Set(['refunded', 'currency'])

/**
 * The steps from the platform's figures to ours; they sum to the gap exactly. A platform that reports no value is
 * compared by count only. `valuedSales`: the same sales as seen by the entities whose money is compared. Money whose
 * sign does not fit the conversions of its step is not comparable.
 */
export function explainGap(
  reported: Reported,
  oursMinor: number,
  { sales, valuedSales }: { sales: readonly GapSale[]; valuedSales: readonly GapSale[] },
  scope: GapScope,
): GapStep[] {
  const steps = explainSales(reported, oursMinor, sales, scope)
  if (reported.valueMinor === null) return steps.map((step) => ({ ...step, valueMinor: 0 }))
  const byKind = (all: readonly GapStep[]) => new Map(all.map((step) => [step.kind, step]))
  const counts = byKind(steps)
  const money = valuedSales === sales ? counts : byKind(explainSales(reported, oursMinor, valuedSales, scope))
  let incomparableMinor = 0
  const explained = GapKind.options.flatMap((kind): GapStep[] => {
    const valued = money.get(kind)
    if (moneyOnly.has(kind)) return valued === undefined ? [] : [valued]
    const step = counts.get(kind) ?? (valued && { ...valued, conversionsMilli: 0, sales: [] })
    if (step === undefined) return []
    const valueMinor = valued?.valueMinor ?? 0
    if (valueMinor === 0 || twoWay.has(kind) || Math.sign(valueMinor) === Math.sign(step.conversionsMilli))
      return [{ ...step, valueMinor }]
    incomparableMinor += valueMinor
    return step.conversionsMilli === 0 ? [] : [{ ...step, valueMinor: 0 }]
  })
  if (incomparableMinor === 0) return explained
  const rest = { ...emptyStep('not_comparable', 'inferred'), valueMinor: incomparableMinor }
  return [...explained, rest].sort(
    (one, other) => GapKind.options.indexOf(one.kind) - GapKind.options.indexOf(other.kind),
  )
}

const emptyStep = (kind: GapKind, label: GapStep['label']): GapStep => ({
  kind,
  label,
  conversionsMilli: 0,
  valueMinor: 0,
  sales: [],
})

function explainSales(
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
    stepSales: readonly GapSale[],
  ) => {
    const step = steps.get(kind) ?? emptyStep(kind, label)
    step.conversionsMilli += milli
    step.valueMinor += minor
    step.sales.push(...stepSales)
    if (label === 'inferred') step.label = label
    steps.set(kind, step)
  }
  let creditedMinor = 0
  for (const { sale, isClaimed, isOurs, kind } of compared) {
    const claimedMinor = isClaimed ? (sale.valueMinor ?? 0) : 0
    const saleCreditedMinor = isOurs ? sale.creditedMinor! : 0
    creditedMinor += saleCreditedMinor
    if (sale.valueMinor === null && (isClaimed || isOurs)) add('currency', 'measured', 0, 0, [sale])
    if (kind !== null) add(kind, 'measured', isOurs ? 1000 : -1000, saleCreditedMinor - claimedMinor, [sale])
    // Both sides count the sale, but part of its money is credited to other touches.
    else if (saleCreditedMinor !== claimedMinor)
      add('credited_elsewhere', 'measured', 0, saleCreditedMinor - claimedMinor, [sale])
  }
  if (oursMinor !== creditedMinor) add('refunded', 'measured', 0, oursMinor - creditedMinor, [])
  const claimedSales = compared.filter(({ isClaimed }) => isClaimed).map(({ sale }) => sale)
  const restMilli = reported.conversionsMilli - claimedSales.length * 1000
  const claimedMinor = claimedSales.reduce((sum, sale) => sum + (sale.valueMinor ?? 0), 0)
  const restMinor = reported.valueMinor === null ? null : reported.valueMinor - claimedMinor
  for (const part of inferRest(restMilli, restMinor, compared, scope))
    add(part.kind, part.label, -part.milli, -part.minor, part.sales)
  return GapKind.options.flatMap((kind) => steps.get(kind) ?? [])
}

type Part = { kind: GapKind; label: GapStep['label']; milli: number; minor: number; sales: GapSale[] }
/** Platforms may report conversions this many days late. */
const DELAY_DAYS = 3

/** Assigns the difference between the platform's report and its rule to reasons, the likeliest first. */
function inferRest(
  restMilli: number,
  restMinor: number | null,
  compared: readonly ({ sale: GapSale } & Sides)[],
  scope: GapScope,
): Part[] {
  const parts: Part[] = []
  let remaining = restMilli
  const assign = (kind: GapKind, sales: GapSale[]) => {
    const milli = Math.min(Math.abs(remaining), sales.length * 1000) * Math.sign(remaining)
    if (milli === 0) return
    parts.push({ kind, label: 'inferred', milli, minor: 0, sales })
    remaining -= milli
  }
  const isWithin = ({ day }: GapSale) => day >= scope.from && day <= scope.to
  const unclaimed = compared.filter(({ isClaimed }) => !isClaimed).map(({ sale }) => sale)
  if (remaining > 0) {
    const isUntagged = (sale: GapSale) => claimOf(sale, scope.platform)?.isNamed === false
    assign(
      'untagged_click',
      scope.isWhole ? [] : unclaimed.filter((sale) => isWithin(sale) && isUntagged(sale)),
    )
    const isUnseen = ({ touches }: GapSale) => touches.every(({ platform }) => platform !== scope.platform)
    assign(
      'not_seen',
      unclaimed.filter((sale) => isWithin(sale) && isUnseen(sale)),
    )
    // A fractional conversion is an estimate of the platform.
    const fraction = remaining % 1000
    if (fraction > 0) {
      parts.push({
        kind: 'platform_modelled_or_delayed',
        label: 'inferred',
        milli: fraction,
        minor: 0,
        sales: [],
      })
      remaining -= fraction
    }
  } else {
    const claimedSales = compared.filter(({ isClaimed }) => isClaimed).map(({ sale }) => sale)
    assign(
      'platform_modelled_or_delayed',
      claimedSales.filter((sale) => isRecent(sale.day, scope.deliveryThrough)),
    )
  }
  const unassignedMinor = restMinor === null ? 0 : assignMoney(parts, restMinor, remaining === 0)
  if (remaining !== 0 || unassignedMinor !== 0)
    parts.push({
      kind: 'unexplained',
      label: 'inferred',
      milli: remaining,
      minor: unassignedMinor,
      sales: [],
    })
  return parts
}

/**
 * A reason that explains all of its candidate sales gets their money. If exactly one reason explains only some of them
 * and no conversion is unexplained, it gets the remaining money; otherwise the remainder is returned.
 */
function assignMoney(parts: readonly Part[], restMinor: number, isFullyCounted: boolean): number {
  let remaining = restMinor
  const isComplete = ({ milli, sales }: Part) => sales.length > 0 && Math.abs(milli) === sales.length * 1000
  for (const part of parts.filter(isComplete)) {
    part.minor = Math.sign(part.milli) * part.sales.reduce((sum, sale) => sum + (sale.valueMinor ?? 0), 0)
    remaining -= part.minor
  }
  const [partial, ...otherPartials] = parts.filter((part) => !isComplete(part))
  if (!isFullyCounted || partial === undefined || otherPartials.length > 0) return remaining
  partial.minor = remaining
  return 0
}

function isRecent(day: string, through: string | null): boolean {
  if (through === null) return true
  return Date.parse(day) > Date.parse(through) - DELAY_DAYS * DAY_MS
}
