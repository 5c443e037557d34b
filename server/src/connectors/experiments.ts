/** An experiment as an ad platform reports it. */
export type ExperimentCell = {
  name: string
  isControl: boolean
  /** Planned share of people or traffic, in percent. */
  percentage: number | null
  /** People that the platform assigned to the cell; null if not reported. */
  population: number | null
  /** The platform's count of outcomes in the cell, credited to an ad or not; absent if not reported. */
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
