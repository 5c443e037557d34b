/** `GET /tracker.js`: built once, read once, served compressed to any site. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../contract/errors.ts'

const BUILT = join(import.meta.dirname, '../../../../tracker/dist/tracker.js')

type Script = { etag: string; plain: Buffer; gzip: Buffer; br: Buffer }

export function mountTrackerScript(app: FastifyInstance, hasTimedIds: () => boolean, file = BUILT): void {
  const scripts = new Map<boolean, Promise<Script>>()
  app.get('/tracker.js', async (request, reply) => {
    const timedIds = hasTimedIds()
    const script = scripts.get(timedIds) ?? load(file, timedIds)
    scripts.set(timedIds, script)
    const loaded = await script.catch((cause: unknown) => {
      scripts.delete(timedIds)
      throw new ApiError('not_found', 'The tracker is not built: run its build script.', { cause })
    })
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('vary', 'accept-encoding')
      .header('etag', loaded.etag)
    if (request.headers['if-none-match'] === loaded.etag) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === 'plain') return reply.send(loaded.plain)
    return reply.header('content-encoding', encoding).send(loaded[encoding])
  })
}

export function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | 'plain' {
  const names = String(accepted ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim().toLowerCase())
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'plain'
}

async function load(file: string, timedIds: boolean): Promise<Script> {
  const plain = withTimedIds(await readFile(file), timedIds)
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain),
  ])
  // Weak, because the same script is served in three encodings.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, gzip: zipped, br }
}

/** The argument at the end of the built script (`tracker/build.ts`). */
function withTimedIds(script: Buffer, timedIds: boolean): Buffer {
  const text = script.toString()
  if (!/\(!0\)\s*$/.test(text)) throw new Error('The built tracker does not end with its argument.')
  return timedIds ? script : Buffer.from(text.replace(/\(!0\)\s*$/, '(!1)'))
}
