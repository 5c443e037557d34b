import type { RequestContext, Service, UserCaller } from '../../../context.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { nodeAnswers } from '../../../platform/db/node-answers.ts'
import { SERVICE_PROFILE } from '../../../platform/jobs/enqueue.ts'
import { listProcesses, type ServiceProcess, stateOf } from '../../../platform/jobs/live-processes.ts'
import { readBuildId, version } from '../../../platform/version.ts'
import { listRefused } from '../../facts/events/refusals.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import type { ProblemKind } from './contract.ts'
import { readLag } from './lag.ts'
import { type ProblemRow, problemSources } from './problems.ts'
import { findWorkspaceOf, insertAction, listActions } from './queries.ts'
import { readUpkeep, watchedNodes } from './upkeep.ts'
import { assessUpkeep, type Finding } from './upkeep-rules.ts'

/** A command on the host has no caller and no request. */
export type Operator = Pick<RequestContext, 'now'> & {
  service: Pick<Service, 'db' | 'nodes' | 'log' | 'config'>
  caller?: UserCaller
  requestId?: string
}

export async function getOperatorStatus({ service }: Pick<Operator, 'service'>) {
  const [processes, lag, nodes] = await Promise.all([
    listProcesses(service.db),
    readLag(service),
    Promise.all(
      watchedNodes(service.nodes).map(async (node) => ({ name: node.name, is_up: await nodeAnswers(node) })),
    ),
  ])
  return { version, build: readBuildId(), processes: processes.map(toProcess), lag, nodes }
}

export async function checkUpkeep({ service, now }: Operator): Promise<Finding[]> {
  const [upkeep, lag] = await Promise.all([readUpkeep(service, now), readLag(service)])
  return assessUpkeep(upkeep, lag)
}

function toProcess(process: ServiceProcess) {
  const { runs_beside: _, master_key_ids: __, stopped_at: ___, ...fields } = process
  return { ...fields, state: stateOf(process) }
}

export async function listProblems(
  { service, now }: Operator,
  kind: ProblemKind,
  { limit, profile_id: profileId }: { limit: number; profile_id?: string | undefined },
) {
  const rows = await problemSources[kind].list(service, { limit, profileId })
  return rows.map((row) => toProblem(kind, row, now))
}

/** Without a profile: events sent with an invalid credential. */
export function listRefusedEvents(
  { service }: Pick<Operator, 'service'>,
  filter: {
    profileId?: string | undefined
    requestId?: string | undefined
    idempotencyKey?: string | undefined
    limit: number
  },
) {
  const { profileId = SERVICE_PROFILE, requestId = null, idempotencyKey, limit } = filter
  const eventId = idempotencyKey === undefined ? null : eventIdOf(profileId, idempotencyKey)
  return listRefused(service.db, { profileId, eventId, orderRef: null, requestId, limit })
}

type ProblemKey = { kind: ProblemKind; id: string }

export async function getProblem({ service, now }: Operator, { kind, id }: ProblemKey) {
  const row = await findProblem(service, kind, id)
  return { ...toProblem(kind, row, now), detail: row.detail }
}

export async function retryProblem(
  operator: Operator,
  key: ProblemKey,
  body: { reason?: string | undefined },
) {
  await applyAction(operator, { action: 'retry', ...key, reason: body.reason ?? null })
  return { id: key.id, state: 'queued' as const }
}

export async function dropProblem(operator: Operator, key: ProblemKey, { reason }: { reason: string }) {
  await applyAction(operator, { action: 'drop', ...key, reason })
  return { id: key.id, state: 'dropped' as const }
}

type Action = ProblemKey & { action: 'retry' | 'drop'; reason: string | null }

/** Changes the problem and records it in one transaction. If two operators act on the same problem, the second gets a 404. */
async function applyAction(operator: Operator, { action, kind, id, reason }: Action): Promise<void> {
  const { service, now } = operator
  const row = await findProblem(service, kind, id)
  await service.db.transaction().execute(async (tx) => {
    if (!(await problemSources[kind][action](tx, row, now))) throw notFound()
    await record(tx, operator, { action, kind, id, reason }, row.profile_id)
  })
}

async function findProblem(service: Operator['service'], kind: ProblemKind, id: string): Promise<ProblemRow> {
  const hasProfileId = id.includes('.')
  if (hasProfileId === (kind === 'dead-jobs')) throw notFound()
  const [row] = await problemSources[kind].list(service, { id, limit: 1 })
  if (row === undefined) throw notFound()
  return row
}

function notFound(): ApiError {
  return new ApiError('not_found', 'No such problem; it may already be resolved.')
}

async function record(
  tx: Tx,
  operator: Operator,
  { action, kind, id, reason }: Action,
  profileId: string | null,
): Promise<void> {
  const { now, caller, requestId } = operator
  await insertAction(tx, {
    id: uuidv7(now),
    user_id: caller?.userId ?? null,
    action,
    kind,
    subject: id,
    profile_id: profileId,
    reason,
    request_id: requestId ?? null,
    occurred_at: now,
  })
  const workspaceId = await findWorkspaceOf(tx, profileId)
  if (workspaceId === undefined) return
  await recordChange(tx, operator, {
    workspaceId,
    profileId,
    action: action === 'retry' ? 'operator.retried' : 'operator.dropped',
    subject: id,
    detail: { kind, reason },
  })
}

export async function listOperatorActions({ service }: Pick<Operator, 'service'>) {
  const rows = await listActions(service.db)
  return rows.map((row) => ({
    ...row,
    action: row.action as Action['action'],
    kind: row.kind as ProblemKind,
  }))
}

function toProblem(kind: ProblemKind, row: ProblemRow, now: Date) {
  const { detail: _, since, ...fields } = row
  return {
    ...fields,
    kind,
    since,
    age_seconds: Math.max(0, (now.getTime() - since.getTime()) / 1000),
  }
}
