/** Creates an operator, and problems that operators see. */
import type { ProblemKind } from '../src/features/account/operator/contract.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import { setAside } from '../src/features/facts/events/quarantine.ts'
import { createWebhookSubscription } from '../src/features/outgoing/webhooks/contract.ts'
import { uuidv7 } from '../src/platform/contract/ids.ts'
import type { TestApp } from './app.ts'
import { makePerson, type OwnProfile, type Person } from './make.ts'

/** For OPERATORS of the service under test. */
export const OPERATOR_EMAIL = 'ops@example.com'

export async function makeOperator(app: TestApp): Promise<Person> {
  const person = await makePerson(app, 'Operator')
  await app.pool.query(`update users set email = $2, email_lower = $2 where id = $1`, [
    person.id,
    OPERATOR_EMAIL,
  ])
  return { ...person, email: OPERATOR_EMAIL }
}

/** Returns the id in the list of problems. `profile` needs a key with events:write and webhooks:write. */
export async function makeProblem(
  app: TestApp,
  profile: Pick<OwnProfile, 'profileId' | 'call'>,
  kind: ProblemKind,
): Promise<string> {
  return makers[kind](app, profile)
}

type Maker = (app: TestApp, profile: Pick<OwnProfile, 'profileId' | 'call'>) => Promise<string>

export async function makeDeadJob(app: TestApp, profileId: string, error = 'Error: no'): Promise<string> {
  const id = uuidv7()
  await app.pool.query(
    `insert into jobs (id, name, profile_id, payload, lane, state, run_at, attempts, max_attempts, last_error, created_at, died_at)
     values ($1, 'test.dead', $2, '{"email":"ana@example.com"}', 1, 'dead', now(), 5, 5, $3, now(), now() - interval '1 hour')`,
    [id, profileId, error],
  )
  return id
}

const makeQuarantined: Maker = async (app, { profileId, call }) => {
  const { data } = await call(sendEvent, {
    body: { event_name: 'lead_created', idempotency_key: uuidv7(), anonymous_id: 'a' },
  })
  await app.pool.query('delete from event_queue where profile_id = $1', [profileId])
  const event = { eventId: data.event_id, reason: 'processing_failed' as const, detail: 'TypeError' }
  await app.service.db
    .transaction()
    .execute((tx) => setAside(tx, { profileId, events: [event], now: new Date(Date.now() - 120_000) }))
  return `${profileId}.${data.event_id}`
}

const makeStuckDelivery: Maker = async (app, { profileId, call }) => {
  const { data } = await call(createWebhookSubscription, {
    body: { url: 'https://hooks.example.com/', events: ['recompute.completed'], providers: ['platform'] },
  })
  const id = uuidv7()
  await app.pool.query(
    `insert into webhook_deliveries (profile_id, id, subscription_id, event_id, event_type, payload, status, next_attempt_at, recorded_at, created_at)
     values ($1, $2, $3, 'evt', 'recompute.completed', '{}', 'pending', now() - interval '1 hour', now(), now())`,
    [profileId, id, data.id],
  )
  return `${profileId}.${id}`
}

const makers: Record<ProblemKind, Maker> = {
  'dead-jobs': (app, { profileId }) => makeDeadJob(app, profileId),
  'quarantined-events': makeQuarantined,
  'stuck-deliveries': makeStuckDelivery,
}
