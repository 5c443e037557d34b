import type { ProblemKind } from '@whence/sdk'

export const kindNames: Record<ProblemKind, string> = {
  'dead-jobs': 'Dead jobs',
  'quarantined-events': 'Quarantined events',
  'stuck-deliveries': 'Stuck deliveries',
}

export const kindNotes: Record<ProblemKind, string> = {
  'dead-jobs': 'Jobs that failed as often as they may. They are deleted after 30 days.',
  'quarantined-events': 'Accepted events that could not be processed. They stay stored.',
  'stuck-deliveries': 'Webhook deliveries that are due for more than ten minutes.',
}

/** What a drop does. */
export const dropNotes: Record<ProblemKind, string> = {
  'dead-jobs': 'The job is deleted and does not run again.',
  'quarantined-events': 'The event stays stored, is not processed and no longer listed here.',
  'stuck-deliveries': 'The delivery is cancelled and not sent.',
}
