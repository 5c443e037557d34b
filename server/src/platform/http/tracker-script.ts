/** `GET /tracker.js` and its second part: built once, read once, served compressed to any site. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { type Packed, pack, sendPacked } from './packed-file.ts'

const BUILT = join(import.meta.dirname, '../../../../tracker/dist/tracker.js')

const BEST_QUALITY = 11

export function mountTrackerScript(app: FastifyInstance, hasTimedIds: () => boolean, file = BUILT): void {
  serve(app, '/tracker.js', () => {
    const timedIds = hasTimedIds()
    return { key: String(timedIds), load: () => read(file, timedIds) }
  })
  const second = join(dirname(file), 'tracker-consent.js')
  serve(app, '/tracker-consent.js', () => ({
    key: '',
    load: async () => pack(await readFile(second), BEST_QUALITY),
  }))
}

function serve(
  app: FastifyInstance,
  path: string,
  choose: () => { key: string; load: () => Promise<Packed> },
): void {
  const scripts = new Map<string, Promise<Packed>>()
  app.get(path, async (request, reply) => {
    const { key, load } = choose()
    const script = scripts.get(key) ?? load()
    scripts.set(key, script)
    const loaded = await script.catch((cause: unknown) => {
      scripts.delete(key)
      throw new ApiError('not_found', 'The tracker is not built: run its build script.', { cause })
    })
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
    return sendPacked(request, reply, loaded)
  })
}

const read = async (file: string, timedIds: boolean) =>
  pack(withTimedIds(await readFile(file), timedIds), BEST_QUALITY)

/** The argument at the end of the built script (`tracker/build.ts`). */
function withTimedIds(script: Buffer, timedIds: boolean): Buffer {
  const text = script.toString()
  if (!/\(!0\)\s*$/.test(text)) throw new Error('The built tracker does not end with its argument.')
  return timedIds ? script : Buffer.from(text.replace(/\(!0\)\s*$/, '(!1)'))
}
