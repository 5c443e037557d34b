/** Sends single events, at a fixed rate or as fast as they are answered, for citus.ts and citus-rates.ts. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Tenant } from './citus-costs.ts'
import { makeEvent } from './traffic.ts'
import type { World } from './world.ts'

type Address = Pick<World, 'baseUrl'>

export type Answer = { tenant: Tenant; status: number; ms: number; retryAfter: string | null }

async function sendOne(world: Address, tenant: Tenant, id: string): Promise<Answer> {
  const started = performance.now()
  const reply = await fetch(`${world.baseUrl}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(makeEvent(id)),
  })
  await reply.arrayBuffer()
  const ms = performance.now() - started
  return { tenant, status: reply.status, ms, retryAfter: reply.headers.get('retry-after') }
}

/** Sends an event each interval, without waiting for earlier responses. */
export async function sendSteadily(
  world: Address,
  tenants: readonly Tenant[],
  { seconds, rate }: { seconds: number; rate: number },
): Promise<Answer[]> {
  const run = Math.random().toString(36).slice(2)
  const started = performance.now()
  const answers: Promise<Answer>[] = []
  for (let index = 0; index < seconds * rate; index++) {
    const wait = started + (index / rate) * 1000 - performance.now()
    if (wait > 0) await pause(wait)
    answers.push(sendOne(world, tenants[index % tenants.length]!, `${run}-${index}`))
  }
  return Promise.all(answers)
}

/** Each connection sends the next event as soon as the last one is answered. */
export async function sendAll(
  world: Address,
  tenants: readonly Tenant[],
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Answer[]> {
  const run = Math.random().toString(36).slice(2)
  const end = performance.now() + seconds * 1000
  const answers: Answer[] = []
  let sent = 0
  const connection = async () => {
    while (performance.now() < end) {
      const index = sent++
      answers.push(await sendOne(world, tenants[index % tenants.length]!, `${run}-${index}`))
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return answers
}

export async function settle(world: World, tenants: readonly Tenant[]): Promise<void> {
  for (const { profileId } of tenants) await world.service.processor.settled(profileId)
}

export const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

export const p95 = (answers: readonly Answer[]) =>
  at(
    answers.map(({ ms }) => ms).sort((a, b) => a - b),
    0.95,
  )
