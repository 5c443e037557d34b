/**
 * The five attribution models and their constants.
 *
 * Touches are ordered by (occurredAt, recordedAt, id). A touch is eligible if it is at or before the conversion and within
 * the lookback (first_touch has its own). Weights are integers, so a share is an exact fraction weight / total. The weight
 * is 1 in single-credit models and linear. In time_decay it is 2^32 · 2^(-age / half-life), rounded and at least 1, with
 * the age relative to the latest eligible touch.
 */
export const models = ['last_touch', 'first_touch', 'linear', 'time_decay', 'last_non_direct'] as const
export type Model = (typeof models)[number]
export const MODEL_COUNT = 5

/** Indexes in `models`, for code with one column per model. */
export const LAST_TOUCH = 0
export const FIRST_TOUCH = 1
export const LINEAR = 2
export const TIME_DECAY = 3
export const LAST_NON_DIRECT = 4

export const levels = ['campaign', 'ad_set', 'ad'] as const
export type Level = (typeof levels)[number]

/** Entity index of credit without an entity at a level. */
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
