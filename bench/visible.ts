/** Milliseconds from sending a changed event until the campaign report shows the change. */
import type { World } from './world.ts'

const MAX_MS = 10_000

const event = (value: number) => ({
  event_name: 'payment_received',
  idempotency_key: 'bench-visible',
  anonymous_id: 'bench-visible',
  // No currency, so the profile's own applies and no exchange rate is needed.
  properties: { value },
  ad: { ad_id: 'ad-visible' },
})

export async function timeUntilVisible(world: World): Promise<number> {
  const headers = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' }
  const post = (value: number) =>
    fetch(`${world.baseUrl}/api/v1/events`, { method: 'POST', headers, body: JSON.stringify(event(value)) })
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const total = async () => {
    const range = `date_from=${day(-1)}&date_to=${day(1)}`
    const reply = await fetch(`${world.baseUrl}/api/v1/campaigns?level=ad&${range}`, { headers })
    const { meta } = (await reply.json()) as { meta: { reconciliation: unknown } }
    return JSON.stringify(meta.reconciliation)
  }
  await post(1)
  await world.service.processor.settled(world.profileId)
  const before = await total()
  const started = performance.now()
  await post(2)
  while ((await total()) === before)
    if (performance.now() - started > MAX_MS) throw new Error(`No change after ${MAX_MS} ms.`)
  return performance.now() - started
}
