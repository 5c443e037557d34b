/**
 * The five attribution models and the numbers they share.
 *
 * Touches are ordered by (occurredAt, recordedAt, id). A touch is eligible when it happened at or before the
 * conversion and not longer before it than the lookback (first_touch has its own). Weights are integers, so a
 * share is an exact fraction weight / total: single-credit models and linear give 1, time_decay gives
 * 2^32 · 2^(-age / half-life) rounded, its age measured from the latest eligible touch, and at least 1.
 */
export const models = ['last_touch', 'first_touch', 'linear', 'time_decay', 'last_non_direct'] as const
export type Model = (typeof models)[number]
export const MODEL_COUNT = 5

/** Positions in `models`, for code that keeps one column per model. */
export const LAST_TOUCH = 0
export const FIRST_TOUCH = 1
export const LINEAR = 2
export const TIME_DECAY = 3
export const LAST_NON_DIRECT = 4

export const levels = ['campaign', 'ad_set', 'ad'] as const
export type Level = (typeof levels)[number]

/** The entity of credit that names nothing at a level. */
export const NO_ENTITY = -1

export const DAY_MS = 86_400_000

export type AttributionSettings = {
  lookbackDays: number
  firstTouchLookbackDays: number
  halfLifeDays: number
}

export const defaultSettings: AttributionSettings = {
  lookbackDays: 30,
  firstTouchLookbackDays: 90,
  halfLifeDays: 7,
}
