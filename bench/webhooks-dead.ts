/**
 * Effect of a dead endpoint with a long queue on the delay of other endpoints. Two dead endpoints, one that refuses and
 * one that hangs, are active in turns of about a second, alternating with turns in which both are paused, so that other
 * load on the machine affects all kinds of turns. Comparing the two paused kinds shows the noise. Turns in which this
 * process was blocked are left out.
 */

import { connectionEvent } from '@whence/server/features/facts/outbox/event-factories.ts'
import { createDispatcher } from '@whence/server/features/outgoing/webhooks/delivery/dispatcher.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { delaysOf, recordSteadily, share } from './webhooks-delays.ts'
import {
  makeProfile,
  now,
  pool,
  QUEUED,
  queueDeliveries,
  readArrivals,
  service,
  subscribe,
  unresponsiveUrl,
  untilDelivered,
} from './webhooks-world.ts'

const HEALTHY = 10
const RATE = 100
const ROUNDS = 14
const WARM_UP_SECONDS = 3
const SETTLE_SECONDS = 0.3
const TURN_SECONDS = 1.4
const RESAMPLES = 400
const STALL_MS = 20

const kinds = ['paused', 'refuses', 'paused again', 'hangs'] as const
type Kind = (typeof kinds)[number]
/** Delays of each kind in one round. */
type Round = Record<Kind, number[]>
type Sent = { sent: Map<string, number>; lateMs: number }

export async function measureDeadReceivers(print: (line: string) => void): Promise<void> {
  const healthy: string[] = []
  for (let n = 0; n < HEALTHY; n++) healthy.push(await makeProfile(1, ['connection.connected']))
  const dead = [
    {
      kind: 'refuses',
      profileId: healthy[0]!,
      id: await makeDeadSubscription(healthy[0]!, 'http://127.0.0.1:9/'),
    },
    { kind: 'hangs', profileId: healthy[1]!, id: await makeDeadSubscription(healthy[1]!, unresponsiveUrl) },
  ]
  await pool.query('vacuum analyze webhook_deliveries')
  const data = { provider: 'cardpay', connection_id: uuidv7(), status: 'connected', reason: null }
  const make = (n: number) => ({
    ...connectionEvent('connection.connected', healthy[n % HEALTHY]!, data, now),
    id: uuidv7(),
  })
  const dispatcher = createDispatcher(service)
  dispatcher.start()
  const measuredRounds: Record<Kind, Sent>[] = []
  let count = 0
  const recordFor = async (seconds: number) => {
    const recorded = await recordSteadily({ rate: RATE, seconds, batch: 1 }, make, dispatcher.wake)
    count += recorded.sent.size
    return recorded
  }
  await recordFor(WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++) {
    const turns = {} as Record<Kind, Sent>
    // The order rotates, so that each kind is at each position equally often.
    for (let position = 0; position < kinds.length; position++) {
      const kind = kinds[(position + round) % kinds.length]!
      for (const subscription of dead)
        await setStatus(subscription, subscription.kind === kind ? 'active' : 'paused')
      await recordFor(SETTLE_SECONDS)
      turns[kind] = await recordFor(TURN_SECONDS)
    }
    measuredRounds.push(turns)
  }
  await untilDelivered(healthy, count)
  const attemptCounts = await Promise.all(dead.map(countTries))
  await dispatcher.stop()
  const arrivals = await readArrivals()
  const delays = ({ sent, lateMs }: Sent) => (lateMs > STALL_MS ? [] : delaysOf(sent, arrivals))
  const rounds = measuredRounds.map(
    (turns) => Object.fromEntries(kinds.map((kind) => [kind, delays(turns[kind])])) as Round,
  )
  const paused: Kind[] = ['paused', 'paused again']
  for (const [index, { kind }] of dead.entries())
    print(
      `next to an endpoint that ${kind} with ${QUEUED} queued (${attemptCounts[index]} tried): ` +
        compare(rounds, paused, [kind as Kind]),
    )
  print(`without a dead endpoint in both: ${compare(rounds, ['paused'], ['paused again'])}`)
}

async function makeDeadSubscription(profileId: string, url: string): Promise<string> {
  const id = await subscribe(profileId, url, ['connection.revoked'])
  await queueDeliveries(profileId, id)
  return id
}

async function setStatus(
  subscription: { profileId: string; id: string },
  status: 'active' | 'paused',
): Promise<void> {
  await pool.query('update webhook_subscriptions set status = $3 where profile_id = $1 and id = $2', [
    subscription.profileId,
    subscription.id,
    status,
  ])
  await pool.query(
    `insert into webhook_queues (subscription_id, profile_id, due_at, wakes) values ($1, $2, now(), 1)
     on conflict (subscription_id) do update set due_at = now(), wakes = webhook_queues.wakes + 1`,
    [subscription.id, subscription.profileId],
  )
}

async function countTries(subscription: { profileId: string; id: string }): Promise<number> {
  const { rows } = await pool.query(
    'select sum(attempt_count)::integer as tries from webhook_deliveries where profile_id = $1 and subscription_id = $2',
    [subscription.profileId, subscription.id],
  )
  return rows[0].tries
}

function compare(rounds: readonly Round[], before: readonly Kind[], after: readonly Kind[]): string {
  const pooled = (sampledRounds: readonly Round[], kinds: readonly Kind[]) =>
    Float64Array.from(sampledRounds.flatMap((round) => kinds.flatMap((kind) => round[kind]))).sort()
  const at = (sampledRounds: readonly Round[], kinds: readonly Kind[], part: number) =>
    share(pooled(sampledRounds, kinds), part)
  const change = (part: number) =>
    `${at(rounds, before, part).toFixed(1)} → ${at(rounds, after, part).toFixed(1)} ms`
  const ratio = (sampledRounds: readonly Round[]) =>
    at(sampledRounds, after, 0.99) / at(sampledRounds, before, 0.99)
  const resampled = Array.from({ length: RESAMPLES }, () =>
    ratio(rounds.map(() => rounds[Math.floor(Math.random() * rounds.length)]!)),
  ).sort((x, y) => x - y)
  const counts = [before, after].map((kinds) => pooled(rounds, kinds).length).join(' and ')
  return (
    `p50 ${change(0.5)}, p99 ${change(0.99)}, × ${ratio(rounds).toFixed(2)} (95 % of resampled rounds: ` +
    `${share(resampled, 0.025).toFixed(2)} to ${share(resampled, 0.975).toFixed(2)}; ${counts} events)`
  )
}
