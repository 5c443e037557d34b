/** Weights of time_decay: 2^32 for a touch of no age, halved with every half-life, whole, and never less than 1. */
export const FULL_DECAY_WEIGHT = 2 ** 32

export function decayWeight(ageMs: number, halfLifeMs: number): number {
  return Math.max(1, Math.round(FULL_DECAY_WEIGHT * 2 ** (-ageMs / halfLifeMs)))
}
