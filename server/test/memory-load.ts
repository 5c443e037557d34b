/** Requests with everything that a process might cache: new addresses, keys, paths, people and idempotency keys. */
import { randomBytes, randomUUID } from 'node:crypto'
import { makeEvent } from '../../bench/traffic.ts'
import { mintToken } from '../src/platform/secrets/tokens.ts'

/** Returns the number of requests. */
export async function useService(baseUrl: string, apiKey: string): Promise<number> {
  const address = `203.0.${randomBytes(1)[0]}.${randomBytes(1)[0]}`
  const request = async (method: string, path: string, token: string, body?: unknown) => {
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': address,
        'user-agent': `agent ${randomUUID()}`,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    await reply.arrayBuffer()
  }
  const today = new Date().toISOString().slice(0, 10)
  const calls = [
    () => request('POST', '/api/v1/events', apiKey, makeEvent(randomUUID())),
    () => request('GET', `/api/v1/campaigns?date_from=${today}&date_to=${today}&level=campaign`, apiKey),
    () => request('GET', '/api/v1/connections', apiKey),
    () => request('GET', '/api/v1/goals', mintToken('api_key').token),
    () => request('GET', `/${randomUUID()}/${randomUUID()}`, apiKey),
    () => request('GET', `/api/v1/conversions/${randomUUID()}`, apiKey),
  ]
  for (const call of calls) await call()
  return calls.length
}
