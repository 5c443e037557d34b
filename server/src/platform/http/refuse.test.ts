import { expect, it, vi } from 'vitest'
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { sendError } from './refuse.ts'
import { toApiError } from './reply.ts'

/** The fault that is counted, and the codes that are logged as errors. */
function answer(error: ApiError): { fault: string | undefined; logged: unknown[]; status: number } {
  const log = vi.fn()
  const service = { log: { error: log }, config: { BASE_URL: '' } } as unknown as Service
  const request = { id: 'r', method: 'GET', routeOptions: {} } as Incoming
  let status = 0
  const reply = {
    header: () => {},
    hasHeader: () => false,
    code: (sent: number) => {
      status = sent
    },
    type: () => {},
    send: () => {},
  } as unknown as Outgoing
  sendError(service, request, reply, error)
  return { fault: request.fault, logged: log.mock.calls.map(([, { code }]) => code), status }
}

it('an answer that is 5xx by design is neither logged as an error nor counted as a fault', () => {
  for (const [code, status] of [
    ['link_tokens_disabled', 503],
    ['provider_not_configured', 501],
    ['not_implemented', 501],
    ['audit_timeout', 504],
    ['service_unavailable', 503],
  ] as const)
    expect(answer(new ApiError(code, 'Off.'))).toEqual({ fault: undefined, logged: [], status })
})

it('faults are counted by code and logged; an outage of the database is one line elsewhere', () => {
  const code = 'internal_error'
  expect(answer(toApiError(new Error('broken')))).toEqual({ fault: code, logged: [code], status: 500 })
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  expect(answer(toApiError(away))).toEqual({ fault: 'database_unavailable', logged: [], status: 503 })
  for (const state of ['40P01', '40001']) {
    const conflict = toApiError(Object.assign(new Error('deadlock detected'), { code: state }))
    const unavailable = 'database_unavailable'
    expect(answer(conflict)).toEqual({ fault: unavailable, logged: [unavailable], status: 503 })
    expect(conflict.retryAfter).toBe(1)
  }
  const down = new ApiError('service_unavailable', 'Down.', { cause: away })
  expect(answer(down)).toMatchObject({ fault: 'service_unavailable', logged: ['service_unavailable'] })
  expect(answer(new ApiError('not_found', 'None.'))).toEqual({ fault: undefined, logged: [], status: 404 })
})
