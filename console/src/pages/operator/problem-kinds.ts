import type { ProblemKind } from '@whence/sdk'

export const kindNames: Record<ProblemKind, string> = {
  'dead-jobs': 'Dead jobs',
  'quarantined-events': 'Quarantined events',
  'stuck-deliveries': 'Stuck deliveries',
}

export const kindNotes: Record<ProblemKind, string> = {
  'dead-jobs': 'Jobs that have used up their attempts. They are deleted after 30 days.',
  'quarantined-events': 'Accepted events that could not be processed. They are kept.',
  'stuck-deliveries': 'Webhook deliveries that are more than ten minutes overdue.',
}

/** What a drop does. */
export const dropNotes: Record<ProblemKind, string> = {
  'dead-jobs': 'The job is deleted and will not run again.',
  'quarantined-events': 'The event is kept but not processed, and is no longer listed here.',
  'stuck-deliveries': 'The delivery is cancelled and not sent.',
}
