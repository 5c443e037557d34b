import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountConsole } from './console-pages.ts'
import { toApiError } from './reply.ts'

let folder: string
let app: FastifyInstance

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-console-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<meta name="csp-nonce" content="__NONCE__"><p>console</p>')
  await writeFile(join(folder, 'assets/main-abc123.js'), 'export {}')
  await writeFile(join(folder, 'boot.js'), '0')
  app = makeApp(folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

function makeApp(from: string): FastifyInstance {
  const server = Fastify()
  server.setErrorHandler((error, _request, reply) => reply.code(toApiError(error).status).send('refused'))
  server.get('/api/v1/known', async () => 'known')
  mountConsole(server, '', from)
  return server
}

const browser = { accept: 'text/html,application/xhtml+xml' }

describe('the console', () => {
  it.each(['/', '/sign-in', '/p/0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111/campaigns?from=2026-01-01'])(
    'serves the page at %s',
    async (url) => {
      const reply = await app.inject({ url, headers: browser })
      expect(reply.statusCode).toBe(200)
      expect(reply.body).toContain('console')
      expect(reply.headers['cache-control']).toBe('no-store')
    },
  )

  it.each(['/api/v1/unknown', '/assets/gone-000.js', '/connect/x/y/z', '/sandbox/none', '/nothing.txt'])(
    'returns a catalogue error for %s',
    async (url) => {
      expect((await app.inject({ url, headers: browser })).statusCode).toBe(404)
    },
  )

  it('is not served to a program that requests an unknown path', async () => {
    expect((await app.inject({ url: '/anything', headers: { accept: 'application/json' } })).statusCode).toBe(
      404,
    )
  })

  it('allows no inline scripts or external resources, and only styles with a nonce', async () => {
    const [first, second] = await Promise.all([app.inject({ url: '/' }), app.inject({ url: '/' })])
    const policy = String(first.headers['content-security-policy'])
    const [, nonce] = /'nonce-([\w-]+)'/.exec(policy)!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(first.body).toContain(`content="${nonce}"`)
    expect(second.headers['content-security-policy']).not.toBe(policy)
  })

  it('caches hashed files permanently and revalidates the others', async () => {
    const hashed = await app.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': 'br' } })
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(hashed.headers['content-encoding']).toBe('br')
    const boot = await app.inject({ url: '/boot.js' })
    expect(boot.headers['cache-control']).toBe('no-cache')
    const again = await app.inject({
      url: '/boot.js',
      headers: { 'if-none-match': String(boot.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
  })

  it('serves nothing outside its folder', async () => {
    for (const url of ['/assets/../../../etc/passwd', '/assets/%2e%2e/%2e%2e/etc/passwd'])
      expect((await app.inject({ url })).statusCode).toBe(404)
  })

  it('returns an error when it is not built', async () => {
    const unbuilt = makeApp(join(folder, 'assets'))
    expect((await unbuilt.inject({ url: '/', headers: browser })).statusCode).toBe(404)
    expect((await unbuilt.inject({ url: '/api/v1/known' })).statusCode).toBe(200)
    await unbuilt.close()
  })
})
