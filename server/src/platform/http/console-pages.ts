/** Serves the console: its page for all other paths, and its hashed files with permanent caching. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import { redact } from '../redact.ts'
import { type Packed, pack, sendPacked } from './packed-file.ts'

const BUILT = join(import.meta.dirname, '../../../../console/dist')
const NONCE_PLACEHOLDER = '__NONCE__'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** Paths that are never console pages; programs get an API error there. */
const reserved = /^\/(api|connect|docs|mcp|oauth|sandbox|\.well-known|assets)(\/|$)|\.\w+$/

type Built = Packed & { type: string }

export function mountConsole(app: FastifyInstance, basePath = '', folder = BUILT): void {
  let files: Promise<Map<string, Built>> | undefined
  const load = () => {
    files ??= readAll(folder, basePath)
    return files.catch((cause: unknown) => {
      files = undefined
      throw new ApiError('not_found', 'The console is not built: run its build script.', { cause })
    })
  }
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0]!
    const isPage = path === '/' || (wantsPage(request) && !reserved.test(path))
    const builtFiles = (await load().catch((error: unknown) => {
      if (isPage) throw error
      return new Map<string, Built>()
    })) as Map<string, Built>
    const file = builtFiles.get(path)
    if (file !== undefined && path !== '/index.html') return sendFile(request, reply, path, file)
    if (isPage) return sendPage(reply, builtFiles.get('/index.html')!)
    throw new ApiError('not_found', `There is no ${request.method} ${redact(path).slice(0, 200)}.`)
  })
}

function wantsPage(request: FastifyRequest): boolean {
  return String(request.headers.accept ?? '').includes('text/html')
}

function sendFile(request: FastifyRequest, reply: FastifyReply, path: string, file: Built): FastifyReply {
  const hashed = path.startsWith('/assets/')
  reply.type(file.type).header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
  return sendPacked(request, reply, file)
}

/** Only our own script files run; the nonce permits style elements created by components. */
function sendPage(reply: FastifyReply, page: Built): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  return reply
    .type(page.type)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "font-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(page.plain.toString('utf8').replace(NONCE_PLACEHOLDER, nonce))
}

async function readAll(folder: string, basePath: string): Promise<Map<string, Built>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = await Promise.all(files.map(readBuilt))
  const map = new Map(
    files.map((file, index) => [`/${relative(folder, file).split(sep).join('/')}`, read[index]!]),
  )
  const page = map.get('/index.html')
  if (page === undefined) throw new Error(`No index.html in ${folder}`)
  map.set('/index.html', { ...page, plain: Buffer.from(addBasePath(basePath, page.plain.toString('utf8'))) })
  return map
}

/** The build uses relative file names; the console reads the prefix from the page. */
function addBasePath(basePath: string, page: string): string {
  return page
    .replaceAll(/(href|src)="\.?\/(?!\/)/g, `$1="${basePath}/`)
    .replace('name="base-path" content=""', `name="base-path" content="${basePath}"`)
}

async function readBuilt(file: string): Promise<Built> {
  return { ...(await pack(await readFile(file))), type: types[extname(file)] ?? 'application/octet-stream' }
}
