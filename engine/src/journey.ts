/**
 * The reference implementation: one conversion, its candidate touches, one model at a time. `decide` determines which
 * touches are credited and why others are not; `attribute` and `explain` are two views of its result. Property tests
 * verify that the bulk path equals it.
 */
import { decayWeight } from './decay.ts'
import { type AttributionSettings, DAY_MS, type Model, models } from './models.ts'
import { compareRecorded } from './order.ts'
import { splitMinor } from './split.ts'

export type IneligibleReason = 'superseded_by_merge'
export type ExcludedReason =
  | 'after_conversion'
  | 'outside_lookback'
  | 'direct_skipped_by_model'
  | 'not_first'
  | 'not_last'
  | IneligibleReason

export type Touch = {
  id: string
  occurredAt: number
  recordedAt: number
  isDirect: boolean
  /** Set by the caller if the touch may not be credited at all. */
  ineligible?: IneligibleReason | undefined
}

export type Conversion = { occurredAt: number; amountMinor: number }

/** `touchIndex` is the index in the list that the caller passed. */
export type Credit = { touchIndex: number; weight: number; totalWeight: number; amountMinor: number }
export type Attribution = { perModel: Record<Model, Credit[]> }

export type Explained =
  | ({ status: 'credited'; share: number } & Credit)
  | { status: 'excluded'; touchIndex: number; reason: ExcludedReason }

type Decision = { touchIndex: number } & ({ weight: number } | { reason: ExcludedReason })

export function attribute(
  conversion: Conversion,
  touches: readonly Touch[],
  settings: AttributionSettings,
): Attribution {
  const perModel = {} as Record<Model, Credit[]>
  for (const model of models)
    perModel[model] = toCredits(conversion, decide(conversion, touches, settings, model))
  return { perModel }
}

/** Every candidate touch in order, credited with its share or excluded with the reason. */
export function explain(
  conversion: Conversion,
  touches: readonly Touch[],
  settings: AttributionSettings,
  model: Model,
): Explained[] {
  const decisions = decide(conversion, touches, settings, model)
  const credits = new Map(toCredits(conversion, decisions).map((credit) => [credit.touchIndex, credit]))
  return decisions.map((decision) => {
    if ('reason' in decision) return { status: 'excluded', ...decision }
    const credit = credits.get(decision.touchIndex)!
    return { status: 'credited', share: credit.weight / credit.totalWeight, ...credit }
  })
}

function toCredits(conversion: Conversion, decisions: readonly Decision[]): Credit[] {
  const credited = decisions.filter((decision) => 'weight' in decision)
  const weights = credited.map((decision) => decision.weight)
  const totalWeight = weights.reduce((total, weight) => total + weight, 0)
  const amounts = splitMinor(conversion.amountMinor, weights)
  return credited.map(({ touchIndex, weight }, i) => ({
    touchIndex,
    weight,
    totalWeight,
    amountMinor: amounts[i]!,
  }))
}

function decide(
  conversion: Conversion,
  touches: readonly Touch[],
  settings: AttributionSettings,
  model: Model,
): Decision[] {
  const days = model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays
  const earliest = conversion.occurredAt - days * DAY_MS
  const ordered = touches
    .map((touch, touchIndex) => ({ touch, touchIndex, reason: ineligibility(touch, conversion, earliest) }))
    .sort((a, b) => compareRecorded(a.touch, b.touch))
  const weigh = weigher(
    ordered.filter(({ reason }) => reason === undefined).map(({ touch }) => touch),
    settings,
    model,
  )
  return ordered.map(({ touch, touchIndex, reason }) =>
    reason === undefined ? { touchIndex, ...weigh(touch) } : { touchIndex, reason },
  )
}

function ineligibility(touch: Touch, conversion: Conversion, earliest: number): ExcludedReason | undefined {
  if (touch.ineligible) return touch.ineligible
  if (touch.occurredAt > conversion.occurredAt) return 'after_conversion'
  if (touch.occurredAt < earliest) return 'outside_lookback'
  return undefined
}

function weigher(
  eligible: readonly Touch[],
  settings: AttributionSettings,
  model: Model,
): (touch: Touch) => { weight: number } | { reason: ExcludedReason } {
  switch (model) {
    case 'linear':
      return () => ({ weight: 1 })
    case 'time_decay': {
      const latest = eligible.at(-1)?.occurredAt ?? 0
      return (touch) => ({ weight: decayWeight(latest - touch.occurredAt, settings.halfLifeDays * DAY_MS) })
    }
    case 'first_touch':
      return (touch) => (touch === eligible[0] ? { weight: 1 } : { reason: 'not_first' })
    case 'last_touch': {
      const last = latestTouch(eligible)
      return (touch) => (touch === last ? { weight: 1 } : { reason: 'not_last' })
    }
    case 'last_non_direct': {
      const last = latestTouch(eligible.filter((touch) => !touch.isDirect))
      if (!last) return weigher(eligible, settings, 'last_touch')
      return (touch) => {
        if (touch === last) return { weight: 1 }
        return { reason: touch.isDirect ? 'direct_skipped_by_model' : 'not_last' }
      }
    }
  }
}

/** The latest touch; of simultaneous ones the one recorded first. */
function latestTouch(ordered: readonly Touch[]): Touch | undefined {
  const latest = ordered.at(-1)
  return ordered.find((touch) => touch.occurredAt === latest?.occurredAt)
}
