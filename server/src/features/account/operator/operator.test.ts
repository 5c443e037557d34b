import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { makeDeadJob, makeOperator, makeProblem, OPERATOR_EMAIL } from '../../../../test/make-problems.ts'
import { runCommand } from '../../../commands/operator.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { SERVICE_PROFILE } from '../../../platform/jobs/enqueue.ts'
import { registerProcess } from '../../../platform/jobs/live-processes.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { createUserToken } from '../api-keys/contract.ts'
import * as contract from './contract.ts'

let app: TestApp
let operator: Person
let workspaceId: string
let profileId: string
let key: string
beforeAll(async () => {
  app = await startTestApp({ OPERATORS: OPERATOR_EMAIL })
  operator = await makeOperator(app)
  workspaceId = await makeWorkspace(operator)
  profileId = await makeProfile(operator, workspaceId)
  key = await makeKey(app, profileId, ['events:write', 'webhooks:write'])
})
afterAll(() => app.close())

const make = (kind: contract.ProblemKind) => makeProblem(app, { profileId, call: app.as(key) }, kind)
const reason = 'The shop closed'

describe('only operators', () => {
  it('see the state of the service; owners of workspaces do not', async () => {
    const owner = await makePerson(app, 'Owner')
    expect(await refusalOf(owner.call(contract.getOperatorStatus, {}))).toMatchObject({
      status: 403,
      code: 'forbidden',
    })
    await operator.call(contract.getOperatorStatus, {})
  })

  it('need a session; a token of the same account is refused', async () => {
    const { data } = await operator.call(createUserToken, { body: { name: 'Mine' } })
    expect(await refusalOf(app.as(data.token)(contract.getOperatorStatus))).toMatchObject({ status: 401 })
  })

  it('need a verified address', async () => {
    const set = (at: Date | null) =>
      app.pool.query('update users set email_verified_at = $2 where id = $1', [operator.id, at])
    await set(null)
    try {
      expect(await refusalOf(operator.call(contract.getOperatorStatus, {}))).toMatchObject({ status: 403 })
    } finally {
      await set(new Date())
    }
  })
})

describe.each(contract.problemKinds)('%s', (kind) => {
  const list = async () => (await operator.call(contract.listProblems, { params: { kind }, query: {} })).data

  it('are listed with their age and shown with their details', async () => {
    const id = await make(kind)
    const listedProblem = (await list()).find((problem) => problem.id === id)
    expect(listedProblem).toMatchObject({ kind, profile_id: profileId })
    expect(listedProblem!.age_seconds).toBeGreaterThan(60)
    const { data } = await operator.call(contract.getProblem, { params: { kind, id } })
    expect(data).toMatchObject({ id, what: listedProblem!.what })
    expect(JSON.stringify(data)).not.toContain('ana@example.com')
  })

  it('are queued again once, and that is recorded', async () => {
    const id = await make(kind)
    const params = { kind, id }
    const results = await Promise.allSettled([
      operator.call(contract.retryProblem, { params, body: {} }),
      operator.call(contract.retryProblem, { params, body: {} }),
    ])
    const fulfilled = results.filter(({ status }) => status === 'fulfilled')
    // A pending delivery can be retried any number of times.
    if (kind !== 'stuck-deliveries') expect(fulfilled).toHaveLength(1)
    else expect(fulfilled.length).toBeGreaterThan(0)
    expect((await list()).some((problem) => problem.id === id)).toBe(false)
    const { data: log } = await operator.call(contract.listOperatorActions, {})
    expect(log[0]).toMatchObject({ user_id: operator.id, action: 'retry', kind, subject: id })
  })

  it('are unknown by an id of another kind', async () => {
    const id = kind === 'dead-jobs' ? `${profileId}.${profileId}` : profileId
    const params = { kind, id }
    expect(await refusalOf(operator.call(contract.getProblem, { params }))).toMatchObject({ status: 404 })
  })

  it('are dropped with a reason, which operators and the workspace can read', async () => {
    const id = await make(kind)
    const params = { kind, id }
    expect(await refusalOf(operator.call(contract.dropProblem, { params, body: {} }))).toMatchObject({
      status: 422,
    })
    await operator.call(contract.dropProblem, { params, body: { reason } })
    expect((await list()).some((problem) => problem.id === id)).toBe(false)
    expect(await refusalOf(operator.call(contract.dropProblem, { params, body: { reason } }))).toMatchObject({
      status: 404,
    })
    const { data: log } = await operator.call(contract.listOperatorActions, {})
    expect(log[0]).toMatchObject({ action: 'drop', kind, subject: id, profile_id: profileId, reason })
    const { data: changes } = await operator.call(listChanges, { params: { workspaceId }, query: {} })
    expect(changes[0]).toMatchObject({ action: 'operator.dropped', subject: id, detail: { kind, reason } })
  })
})

describe('a retry', () => {
  it('gives a job all its attempts, processes the event, and wakes the sender', async () => {
    const job = await make('dead-jobs')
    const event = await make('quarantined-events')
    const delivery = await make('stuck-deliveries')
    const retry = (kind: contract.ProblemKind, id: string) =>
      operator.call(contract.retryProblem, { params: { kind, id }, body: {} })
    await retry('dead-jobs', job)
    await retry('quarantined-events', event)
    await retry('stuck-deliveries', delivery)
    const queryRows = async (text: string, id: string) =>
      (await app.pool.query(text, [id.split('.').at(-1)])).rows
    expect(await queryRows('select state, attempts from jobs where id = $1', job)).toEqual([
      { state: 'ready', attempts: 0 },
    ])
    expect(
      await queryRows('select is_update from event_queue where event_ids = array[$1::uuid]', event),
    ).toEqual([{ is_update: true }])
    expect(
      await queryRows(
        'select 1 as ok from webhook_queues q join webhook_deliveries d using (subscription_id) where d.id = $1',
        delivery,
      ),
    ).toEqual([{ ok: 1 }])
  })

  it('of a job without a profile is in the operator log only', async () => {
    const id = await makeDeadJob(app, SERVICE_PROFILE)
    await operator.call(contract.retryProblem, { params: { kind: 'dead-jobs', id }, body: {} })
    const { data } = await operator.call(contract.listOperatorActions, {})
    expect(data[0]).toMatchObject({ subject: id, profile_id: null })
  })
})

it('the status has the processes, the heartbeat of the worker, and size and age of the queues', async () => {
  const { db } = app.service
  const { stop } = await registerProcess(
    db,
    {
      role: 'worker',
      masterKeyIds: ['k1'],
      workerSeenAt: () => performance.now() - 300_000,
      now: () => new Date(),
    },
    () => {},
  )
  await Promise.all(contract.problemKinds.map(make))
  await app.as(key)(sendEvent, {
    body: { event_name: 'lead_created', idempotency_key: uuidv7(), anonymous_id: 'a' },
  })
  const { data } = await operator.call(contract.getOperatorStatus, {})
  expect(data.processes[0]).toMatchObject({ role: 'worker', state: 'running' })
  expect(data.lag.worker_heartbeat_age_seconds).toBeGreaterThanOrEqual(300)
  expect(data.lag.jobs.dead).toBeGreaterThan(0)
  expect(data.lag.jobs.oldest_dead_age_seconds).toBeGreaterThanOrEqual(3600)
  expect(data.lag.events.waiting).toBeGreaterThan(0)
  expect(data.lag.events.oldest_waiting_age_seconds).toBeGreaterThanOrEqual(0)
  expect(data.lag.events.quarantined).toBeGreaterThan(0)
  expect(data.lag.events.oldest_quarantined_age_seconds).toBeGreaterThan(100)
  expect(data.lag.webhooks.stuck).toBeGreaterThan(0)
  expect(data.lag.webhooks.waiting).toBeGreaterThanOrEqual(data.lag.webhooks.stuck)
  expect(data.lag.webhooks.oldest_waiting_age_seconds).toBeGreaterThanOrEqual(3600)
  const metrics = await (await fetch(`${app.baseUrl}/metrics`)).text()
  const gauge = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  expect(gauge('worker_heartbeat_age_seconds')).toBeGreaterThanOrEqual(300)
  expect(gauge('jobs_dead')).toBe(data.lag.jobs.dead)
  expect(gauge('webhook_deliveries_stuck')).toBe(data.lag.webhooks.stuck)
  expect(gauge('events_oldest_quarantined_age_seconds')).toBeGreaterThan(100)
  await stop()
})

it('the command line lists, shows, retries and drops the same', async () => {
  const id = await makeDeadJob(app, profileId, 'Error: by command')
  const run = (...command: Parameters<typeof runCommand>[1][]) =>
    runCommand({ service: app.service, now: new Date() }, command[0]!)
  const kind = 'dead-jobs' as const
  expect((await run({ name: 'status' })).join('\n')).toMatch(/jobs: \d+ ready .* \d+ dead/)
  expect((await run({ name: 'list', kind, profileId })).join('\n')).toMatch(
    new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z  `, 'm'),
  )
  expect((await run({ name: 'show', kind, id })).join('\n')).toContain('Error: by command')
  expect(await run({ name: 'drop', kind, id, reason })).toEqual([`Dropped ${id}.`])
  const { data } = await operator.call(contract.listOperatorActions, {})
  expect(data[0]).toMatchObject({ user_id: null, subject: id, reason })
})

it('the command line retries or drops all of a kind, and says when it lists only the oldest', async () => {
  const full = await makeProfile(operator, workspaceId)
  const ids = [await makeDeadJob(app, full, 'Error: first')]
  const other = await makeProfile(operator, workspaceId)
  const kept = await makeDeadJob(app, other, 'Error: of another profile')
  await app.pool.query(
    `insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid()))).*
     from jobs j, generate_series(1, 150) where j.id = $1`,
    ids,
  )
  const run = (command: Parameters<typeof runCommand>[1]) =>
    runCommand({ service: app.service, now: new Date() }, command)
  const kind = 'dead-jobs' as const
  const listed = await run({ name: 'list', kind, profileId: full })
  expect([listed.length, listed.at(-1)]).toEqual([101, 'There are more: these are the oldest 100.'])
  expect(await run({ name: 'drop-all', kind, profileId: full, reason })).toEqual(['Dropped 151 dead-jobs.'])
  expect(await run({ name: 'list', kind, profileId: full })).toEqual(['No dead-jobs.'])
  expect(await run({ name: 'show', kind, id: kept })).toEqual([expect.stringContaining('another profile')])
  expect(await run({ name: 'retry-all', kind, profileId: other })).toEqual(['Requeued 1 dead-jobs.'])
})

it('the command line lists refused events, including those with an invalid credential', async () => {
  const listRefused = async (filter: Record<string, string>) => {
    await app.service.refusals.flush()
    const operator = { service: app.service, now: new Date() }
    return (await runCommand(operator, { name: 'refused', filter })).join('\n')
  }
  const body = { event_name: 'payment_received', idempotency_key: 'lost-1', properties: { value: 'no' } }
  const stranger = await refusalOf(app.as('whence_live_0000000000_nothing')(sendEvent, { body }))
  const mistake = await refusalOf(app.as(key)(sendEvent, { body }))
  const ofStranger = `${stranger.request_id}  401  unauthorized`
  expect(await listRefused({})).toContain(ofStranger)
  expect(await listRefused({ request: stranger.request_id! })).toContain(ofStranger)
  expect(await listRefused({ key: 'lost-1', profile: profileId })).toContain(`${mistake.request_id}  422  `)
  expect(await listRefused({ key: 'lost-2', profile: profileId })).toBe('No refused events.')
  expect(await listRefused({ request: mistake.request_id! })).toBe('No refused events.')
})
