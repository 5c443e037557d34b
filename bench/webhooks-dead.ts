/**
 * What a dead endpoint with a long queue does to the others' delay. Two dead ones, one that refuses and one that
 * hangs, are opened in turns of a second, alternating with turns in which both are shut; the machine's moods hit all kinds
 * alike, and two kinds of turns that are the same show how far apart the same can come out. A turn in which this
 * process itself stood still for a while is left out, whatever its kind.
 */

import { connectionEvent } from '@whence/server/features/facts/outbox/makers.ts'
import { createDispatcher } from '@whence/server/features/outgoing/webhooks/delivery/dispatcher.ts'
import { uuidv7 } from '@whence/server/platform/contract/ids.ts'
import { delaysOf, recordSteadily, share } from './webhooks-delays.ts'
import {
  makeProfile,
  now,
  pool,
  QUEUED,
  queueFor,
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

const kinds = ['shut', 'refuses', 'shut again', 'hangs'] as const
type Kind = (typeof kinds)[number]
/** The delays of each kind in one round. */
type Round = Record<Kind, number[]>
type Sent = { sent: Map<string, number>; lateMs: number }

export async function withDeadReceivers(say: (line: string) => void): Promise<void> {
  const healthy: string[] = []
  for (let n = 0; n < HEALTHY; n++) healthy.push(await makeProfile(1, ['connection.connected']))
  const dead = [
    { kind: 'refuses', profileId: healthy[0]!, id: await open(healthy[0]!, 'http://127.0.0.1:9/') },
    { kind: 'hangs', profileId: healthy[1]!, id: await open(healthy[1]!, unresponsiveUrl) },
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
  const tellFor = async (seconds: number) => {
    const recorded = await recordSteadily({ rate: RATE, seconds, batch: 1 }, make, dispatcher.wake)
    count += recorded.sent.size
    return recorded
  }
  await tellFor(WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++) {
    const turns = {} as Record<Kind, Sent>
    // Each kind comes at each place of a round as often as the others.
    for (let place = 0; place < kinds.length; place++) {
      const kind = kinds[(place + round) % kinds.length]!
      for (const one of dead) await setStatus(one, one.kind === kind ? 'active' : 'paused')
      await tellFor(SETTLE_SECONDS)
      turns[kind] = await tellFor(TURN_SECONDS)
    }
    measuredRounds.push(turns)
  }
  await untilDelivered(healthy, count)
  const tries = await Promise.all(dead.map(countTries))
  await dispatcher.stop()
  const arrivals = await readArrivals()
  const delays = ({ sent, lateMs }: Sent) => (lateMs > STALL_MS ? [] : delaysOf(sent, arrivals))
  const rounds = measuredRounds.map(
    (turns) => Object.fromEntries(kinds.map((kind) => [kind, delays(turns[kind])])) as Round,
  )
  const shut: Kind[] = ['shut', 'shut again']
  for (const [index, { kind }] of dead.entries())
    say(
      `next to an endpoint that ${kind} with ${QUEUED} queued (${tries[index]} tried): ` +
        compare(rounds, shut, [kind as Kind]),
    )
  say(`the same with nothing dead in both: ${compare(rounds, ['shut'], ['shut again'])}`)
}

async function open(profileId: string, url: string): Promise<string> {
  const id = await subscribe(profileId, url, ['connection.revoked'])
  await queueFor(profileId, id)
  return id
}

async function setStatus(one: { profileId: string; id: string }, status: 'active' | 'paused'): Promise<void> {
  await pool.query('update webhook_subscriptions set status = $3 where profile_id = $1 and id = $2', [
    one.profileId,
    one.id,
    status,
  ])
  await pool.query(
    `insert into webhook_queues (subscription_id, profile_id, due_at, wakes) values ($1, $2, now(), 1)
     on conflict (subscription_id) do update set due_at = now(), wakes = webhook_queues.wakes + 1`,
    [one.id, one.profileId],
  )
}

async function countTries(one: { profileId: string; id: string }): Promise<number> {
  const { rows } = await pool.query(
    'select sum(attempt_count)::integer as tries from webhook_deliveries where profile_id = $1 and subscription_id = $2',
    [one.profileId, one.id],
  )
  return rows[0].tries
}

function compare(rounds: readonly Round[], before: readonly Kind[], after: readonly Kind[]): string {
  const pooled = (of: readonly Round[], kinds: readonly Kind[]) =>
    Float64Array.from(of.flatMap((round) => kinds.flatMap((kind) => round[kind]))).sort()
  const at = (of: readonly Round[], kinds: readonly Kind[], part: number) => share(pooled(of, kinds), part)
  const change = (part: number) =>
    `${at(rounds, before, part).toFixed(1)} → ${at(rounds, after, part).toFixed(1)} ms`
  const ratio = (of: readonly Round[]) => at(of, after, 0.99) / at(of, before, 0.99)
  const drawn = Array.from({ length: RESAMPLES }, () =>
    ratio(rounds.map(() => rounds[Math.floor(Math.random() * rounds.length)]!)),
  ).sort((x, y) => x - y)
  const counts = [before, after].map((kinds) => pooled(rounds, kinds).length).join(' and ')
  return (
    `p50 ${change(0.5)}, p99 ${change(0.99)}, × ${ratio(rounds).toFixed(2)} (95 % of resampled rounds: ` +
    `${share(drawn, 0.025).toFixed(2)} to ${share(drawn, 0.975).toFixed(2)}; ${counts} events)`
  )
}
