/**
 * What the service gives every request and job of the parts that features implement. Declared here, so that the
 * platform needs no feature.
 */

/** Derives people, touches, conversions and credit from stored events. */
export type Processor = {
  wake(profileId: string): void
  /** Starts polling for waiting events of all profiles. */
  start(): void
  stop(): Promise<void>
  /** Resolves once all events of the profile that were queued at the time of the call are processed. */
  settled(profileId: string): Promise<void>
}

/** Writes incoming events, several senders of a profile in one commit. */
export type Ingest<Event> = {
  /** Resolves after the commit. `retracted`: the key was retracted, nothing was written. */
  add(profileId: string, events: readonly Event[]): Promise<IngestStatus[]>
  /** Waits until all accepted events are written. */
  drain(): Promise<void>
  waiting(): number
}

export type IngestStatus = 'accepted' | 'updated' | 'unchanged' | 'retracted'

/** Limits the events a profile sends. */
export type IngestLimit = {
  /** 0 if the events may pass, else the seconds to wait. */
  spend(profileId: string, events: number): number
  /** The number of events the profile may send now, and the seconds until it is at least one. */
  left(profileId: string): { remaining: number; retryAfterSeconds: number }
}

/** Records events that were refused. */
export type Refusals = {
  add(refused: RefusedEvent): void
  /** Writes the buffer. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export type RefusedEvent = {
  /** Null if the credential is invalid. */
  profileId: string | null
  requestId: string
  status: number
  code: string
  message: string
  /** The event as sent, of any shape. */
  event: unknown
}

export type Geo = { countryOf(ip: string): string | null }
