/** An experiment as an ad platform reports it. */
export type ExperimentCell = {
  name: string
  isControl: boolean
  /** The share of people or traffic that was planned for it, in percent. */
  percentage: number | null
  /** People that the platform put into it; null if it does not report that. */
  population: number | null
  /** Outcomes of its people as the platform counts them, whether or not an ad is credited; absent if it does not report that. */
  outcomes?: number | null
  campaigns: string[]
  adSets: string[]
}

export type PlatformReading = { metric: string; effect: number; low: number; high: number; level: number }

export type ExperimentRecord = {
  externalId: string
  kind: 'lift' | 'split' | 'geo'
  name: string
  /** ISO 8601 UTC. */
  startsAt: string | null
  endsAt: string | null
  observationEndsAt: string | null
  canceledAt: string | null
  cells: ExperimentCell[]
  platformReading: PlatformReading | null
}
