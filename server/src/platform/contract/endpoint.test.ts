import { expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const base = { name: 'example', path: '/example', summary: '', tag: 'example', reply: z.null() } as const

it('a write without a writing scope or a named alternative does not compile', () => {
  const entries = [
    endpoint({ ...base, method: 'GET', access: { kind: 'user' } }),
    endpoint({ ...base, method: 'PATCH', access: { kind: 'user', scopes: ['workspaces:write'] } }),
    // @ts-expect-error any user token would be accepted
    endpoint({ ...base, method: 'PATCH', access: { kind: 'user' } }),
    // @ts-expect-error no scope
    endpoint({ ...base, method: 'POST', access: { kind: 'profile', scopes: [] } }),
    // @ts-expect-error a reading scope writes
    endpoint({ ...base, method: 'PUT', access: { kind: 'profile', scopes: ['analytics:read'] } }),
    // @ts-expect-error any credential would be accepted
    endpoint({ ...base, method: 'DELETE', access: { kind: 'bearer' } }),
    // @ts-expect-error public without a declared reason
    endpoint({ ...base, method: 'POST', access: { kind: 'public' } }),
  ]
  expect(entries).toHaveLength(7)
})
