import { expect, it } from 'vitest'
import { z } from 'zod'
import { Instant } from './fields.ts'
import { toReply } from './to-reply.ts'

const Link = z.object({ id: z.string(), kind: z.enum(['file', 's3']), url: z.string(), created_at: Instant })

it('a reply has the fields of its schema and no other column of the row', () => {
  const row = { id: '1', kind: 'file', created_at: new Date(0), secret: 'sealed', url: 'of the row' }
  const reply = toReply(Link, row, { url: 'https://example.com' })
  expect(reply).toEqual({ id: '1', kind: 'file', url: 'https://example.com', created_at: new Date(0) })
  expect(Link.parse(JSON.parse(JSON.stringify(reply)))).toMatchObject({
    created_at: '1970-01-01T00:00:00.000Z',
  })
})
