/** Integer weights of time_decay: 2^32 at age 0, halved with every half-life, at least 1. */
export const FULL_DECAY_WEIGHT = 2 ** 32

export function decayWeight(ageMs: number, halfLifeMs: number): number {
  return Math.max(1, Math.round(FULL_DECAY_WEIGHT * 2 ** (-ageMs / halfLifeMs)))
}
