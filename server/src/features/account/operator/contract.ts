import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

export const problemKinds = ['dead-jobs', 'quarantined-events', 'stuck-deliveries'] as const
export const ProblemKind = z.enum(problemKinds)
export type ProblemKind = z.output<typeof ProblemKind>

const access = { kind: 'user', tokens: false, operator: true } as const
const age = z.number().nullable()
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const Id = z
  .string()
  .regex(new RegExp(`^${uuid}(\\.${uuid})?$`), 'must be the id that the list shows')
  .describe('The id that the list shows: of a job its own, of an event or a delivery profile.id')
const ProblemParams = z.object({ kind: ProblemKind, id: Id })
const reason = z.string().trim().min(3).max(500)

export const ServiceProcess = z.object({
  id: z.uuid(),
  role: z.enum(['all', 'api', 'worker']),
  version: z.string(),
  build: z.string(),
  host: z.string(),
  pid: z.int(),
  state: z
    .enum(['running', 'stopped', 'lost'])
    .describe('lost: no heartbeat for a minute, and no orderly stop'),
  started_at: Instant,
  seconds_since_seen: z.number(),
  seconds_since_worked: age.describe('Since it last looked for jobs; null where it runs none'),
})

export const ServiceLag = z.object({
  worker_heartbeat_age_seconds: age.describe('Since any process last looked for jobs; null: none ever did'),
  jobs: z.object({
    ready: z.int(),
    running: z.int(),
    scheduled: z.int(),
    dead: z.int(),
    oldest_ready_age_seconds: age,
    oldest_dead_age_seconds: age,
  }),
  events: z.object({
    waiting: z.int().describe('Groups of committed events that are not processed yet'),
    oldest_waiting_age_seconds: age,
    quarantined: z.int(),
    oldest_quarantined_age_seconds: age,
  }),
  webhooks: z.object({
    waiting: z.int().describe('Deliveries to active subscriptions that are due'),
    oldest_waiting_age_seconds: age,
    stuck: z.int().describe('Due for more than ten minutes'),
  }),
})
export type ServiceLag = z.infer<typeof ServiceLag>

export const getOperatorStatus = endpoint({
  name: 'getOperatorStatus',
  method: 'GET',
  path: '/operator/status',
  summary: 'State of the service: processes, queues and how far behind they are',
  description: 'For operators (OPERATORS). The same figures are gauges in /metrics.',
  tag: 'operator',
  access,
  reply: z.object({
    version: z.string(),
    build: z.string(),
    processes: z.array(ServiceProcess),
    lag: ServiceLag,
    nodes: z.array(z.object({ name: z.string(), is_up: z.boolean() })),
  }),
  errors: ['forbidden'],
})

export const Problem = z.object({
  id: z.string(),
  kind: ProblemKind,
  profile_id: z.uuid().nullable(),
  what: z.string().describe('Name of the job, event or webhook event'),
  reason: z.string().nullable(),
  attempts: z.int().nullable(),
  since: Instant,
  age_seconds: z.number(),
})

export const listProblems = endpoint({
  name: 'listProblems',
  method: 'GET',
  path: '/operator/problems/{kind}',
  summary: 'Dead jobs, quarantined events or stuck deliveries, oldest first',
  description:
    'A dead job used up its tries; a quarantined event could not be processed; a stuck delivery is due for more than ten minutes.',
  tag: 'operator',
  access,
  params: z.object({ kind: ProblemKind }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(500).default(100),
    profile_id: z.uuid().optional(),
  }),
  reply: z.array(Problem),
  errors: ['forbidden'],
})

export const getProblem = endpoint({
  name: 'getProblem',
  method: 'GET',
  path: '/operator/problems/{kind}/{id}',
  summary: 'One of them with its details',
  description: 'Details hold ids and the redacted error, never the values of a person.',
  tag: 'operator',
  access,
  params: ProblemParams,
  reply: Problem.extend({ detail: z.record(z.string(), z.unknown()) }),
  errors: ['forbidden', 'not_found'],
})

export const retryProblem = endpoint({
  name: 'retryProblem',
  method: 'POST',
  path: '/operator/problems/{kind}/{id}/retry',
  summary: 'Run, process or send it again now',
  description:
    'A job gets all its tries again. Recorded in the operator log and in the workspace’s audit log.',
  tag: 'operator',
  access,
  params: ProblemParams,
  body: z.strictObject({ reason: reason.optional() }),
  reply: z.object({ id: z.string(), state: z.literal('queued') }),
  errors: ['forbidden', 'not_found'],
})

export const dropProblem = endpoint({
  name: 'dropProblem',
  method: 'POST',
  path: '/operator/problems/{kind}/{id}/drop',
  summary: 'Give it up, with a reason',
  description:
    'A job is deleted; an event stays stored, set aside and no longer listed; a delivery is cancelled. Recorded as above.',
  tag: 'operator',
  access,
  params: ProblemParams,
  body: z.strictObject({ reason }),
  reply: z.object({ id: z.string(), state: z.literal('dropped') }),
  errors: ['forbidden', 'not_found'],
  example: { body: { reason: 'The connection was removed' } },
})

export const listOperatorActions = endpoint({
  name: 'listOperatorActions',
  method: 'GET',
  path: '/operator/log',
  summary: 'What operators retried and dropped, newest first',
  description: 'The last 200 actions.',
  tag: 'operator',
  access,
  reply: z.array(
    z.object({
      id: z.uuid(),
      user_id: z.uuid().nullable().describe('Null for a command at the machine'),
      action: z.enum(['retry', 'drop']),
      kind: ProblemKind,
      subject: z.string(),
      profile_id: z.uuid().nullable(),
      reason: z.string().nullable(),
      occurred_at: Instant,
    }),
  ),
  errors: ['forbidden'],
})
