import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, OccurredAt, ProfileId } from '../../../platform/contract/fields.ts'

export const problemKinds = ['dead-jobs', 'quarantined-events', 'stuck-deliveries'] as const
export const ProblemKind = z
  .enum(problemKinds)
  .describe('Kind of problem: a dead job, a quarantined event or a stuck delivery')
export type ProblemKind = z.output<typeof ProblemKind>

const access = { kind: 'user', tokens: false, operator: true } as const
const age = z.number().nullable()
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
export const ProblemId = z
  .string()
  .regex(new RegExp(`^${uuid}(\\.${uuid})?$`), 'must be an id from the list of problems')
  .describe('Id from the list of problems: the job id, or for an event or delivery `<profile id>.<id>`')
const ProblemParams = z.object({ kind: ProblemKind, id: ProblemId })
const reason = z.string().trim().min(3).max(500)

export const ServiceProcess = z.object({
  id: z.uuid().describe('Id of the process'),
  role: z.enum(['all', 'api', 'worker']).describe('What the process does: api, worker or all'),
  version: z.string().describe('Version of the release'),
  build: z.string().describe('Id of the build'),
  host: z.string().describe('Name of the machine'),
  pid: z.int().describe('Id of the process on its machine'),
  state: z
    .enum(['running', 'silent', 'stopped', 'lost'])
    .describe(
      'silent: two heartbeats are missing (25 seconds); lost: none for a minute, without a clean shutdown',
    ),
  started_at: Instant.describe('When it started'),
  seconds_since_seen: z.number().describe('Seconds since the last heartbeat'),
  seconds_since_worked: age.describe('Seconds since it last polled for jobs; null if it runs none'),
  clock_ahead_seconds: age.describe(
    'Seconds that its clock is ahead of the database’s, negative if behind; more than 60 in either direction is a fault. Null for a process of an earlier release',
  ),
})

export const ServiceLag = z.object({
  worker_heartbeat_age_seconds: age.describe(
    'Seconds since any process last polled for jobs; null if none ever did',
  ),
  jobs: z
    .object({
      ready: z.int().describe('Whether setup is complete'),
      running: z.int().describe('Number of running jobs'),
      scheduled: z.int().describe('Number of jobs scheduled for later'),
      dead: z.int().describe('Number of dead jobs'),
      oldest_ready_age_seconds: age.describe(
        'Age of the oldest ready job, in seconds; null if none is ready',
      ),
      oldest_dead_age_seconds: age.describe('Age of the oldest dead job, in seconds; null if none is dead'),
    })
    .describe('State of the job queue'),
  events: z
    .object({
      waiting: z.int().describe('Batches of stored events that are not processed yet'),
      oldest_waiting_age_seconds: age.describe(
        'Age of the oldest waiting item, in seconds; null if none waits',
      ),
      quarantined: z.int().describe('Number of events that could not be processed'),
      oldest_quarantined_age_seconds: age.describe(
        'Age of the oldest quarantined event, in seconds; null if none is quarantined',
      ),
    })
    .describe('Events that are not processed yet'),
  webhooks: z
    .object({
      waiting: z.int().describe('Due deliveries to active subscriptions'),
      oldest_waiting_age_seconds: age.describe(
        'Age of the oldest waiting item, in seconds; null if none waits',
      ),
      stuck: z.int().describe('Deliveries that are overdue by more than ten minutes'),
    })
    .describe('State of the webhook delivery queue'),
})
export type ServiceLag = z.infer<typeof ServiceLag>

export const getOperatorStatus = endpoint({
  name: 'getOperatorStatus',
  method: 'GET',
  path: '/operator/status',
  summary: 'Get the state of the service: processes, queues and lag',
  description:
    'For operators only (environment variable OPERATORS). /metrics has the same figures as gauges.',
  tag: 'operator',
  access,
  reply: z.object({
    version: z.string().describe('Version of the release'),
    build: z.string().describe('Id of the build'),
    processes: z.array(ServiceProcess).describe('Processes of the service'),
    lag: ServiceLag.describe('How far the work of the service is behind'),
    nodes: z
      .array(
        z.object({
          name: z.string().describe('Address of the database node'),
          is_up: z.boolean().describe('True if the node responds'),
        }),
      )
      .describe('Nodes of the database'),
  }),
  errors: ['forbidden'],
})

export const Problem = z.object({
  id: z.string().describe('Id of the problem'),
  kind: ProblemKind,
  profile_id: z.uuid().nullable().describe('Id of the profile; null if it belongs to none'),
  what: z.string().describe('Name of the job, event or webhook event'),
  reason: z.string().nullable().describe('Why it failed; null if it is not known'),
  attempts: z.int().nullable().describe('Attempts so far; null if the kind of problem has no attempts'),
  since: Instant.describe('When it first occurred'),
  age_seconds: z.number().describe('Age in seconds'),
})

export const listProblems = endpoint({
  name: 'listProblems',
  method: 'GET',
  path: '/operator/problems/{kind}',
  summary: 'List dead jobs, quarantined events or stuck deliveries',
  description:
    'Oldest first. A dead job has used all its attempts; a quarantined event could not be processed; a stuck delivery is overdue by more than ten minutes.',
  tag: 'operator',
  access,
  params: z.object({ kind: ProblemKind }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(500).default(100).describe('Rows per page'),
    profile_id: ProfileId.optional(),
  }),
  reply: z.array(Problem),
  errors: ['forbidden'],
})

export const getProblem = endpoint({
  name: 'getProblem',
  method: 'GET',
  path: '/operator/problems/{kind}/{id}',
  summary: 'Get a problem with its details',
  description: 'Details contain ids and the redacted error, never personal data.',
  tag: 'operator',
  access,
  params: ProblemParams,
  reply: Problem.extend({
    detail: z.record(z.string(), z.unknown()).describe('Ids and the redacted error, without personal data'),
  }),
  errors: ['forbidden', 'not_found'],
})

export const retryProblem = endpoint({
  name: 'retryProblem',
  method: 'POST',
  path: '/operator/problems/{kind}/{id}/retry',
  summary: 'Retry a problem now',
  description:
    'Runs the job with all its attempts, processes the event, or sends the delivery. Recorded in the operator log and in the workspace’s audit log.',
  tag: 'operator',
  access,
  params: ProblemParams,
  body: z.strictObject({ reason: reason.optional().describe('Why the operator does it, for the audit log') }),
  reply: z.object({
    id: z.string().describe('Id of the problem'),
    state: z.literal('queued').describe('What became of the problem'),
  }),
  errors: ['forbidden', 'not_found'],
})

export const dropProblem = endpoint({
  name: 'dropProblem',
  method: 'POST',
  path: '/operator/problems/{kind}/{id}/drop',
  summary: 'Drop a problem, with a reason',
  description:
    'A job is deleted; an event stays stored but is no longer listed; a delivery is cancelled. Recorded in the operator log and in the workspace’s audit log.',
  tag: 'operator',
  access,
  params: ProblemParams,
  body: z.strictObject({ reason: reason.describe('Why the operator does it, for the audit log') }),
  reply: z.object({
    id: z.string().describe('Id of the problem'),
    state: z.literal('dropped').describe('What became of the problem'),
  }),
  errors: ['forbidden', 'not_found'],
  example: { body: { reason: 'The connection was removed' } },
})

export const listOperatorActions = endpoint({
  name: 'listOperatorActions',
  method: 'GET',
  path: '/operator/log',
  summary: 'List what operators retried and dropped',
  description: 'The last 200 actions, newest first.',
  tag: 'operator',
  access,
  reply: z.array(
    z.object({
      id: z.uuid().describe('Id of the action'),
      user_id: z.uuid().nullable().describe('Null for a command on the host'),
      action: z.enum(['retry', 'drop']).describe('What the operator did, `retry` or `drop`'),
      kind: ProblemKind,
      subject: z.string().describe('What the operator acted on'),
      profile_id: z.uuid().nullable().describe('Id of the profile; null if it belongs to none'),
      reason: z.string().nullable().describe('Why the operator did it; null if none was given'),
      occurred_at: OccurredAt,
    }),
  ),
  errors: ['forbidden'],
})
