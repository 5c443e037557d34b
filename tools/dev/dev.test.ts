import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from './free-port.mjs'
import { startFront } from './front.mjs'
import { startRestarting } from './restarting.mjs'

const folder = mkdtempSync(join(tmpdir(), 'whence-dev-'))
const source = join(folder, 'src', 'version.json')
const program = join(folder, 'service.mjs')
const page = { headers: { accept: 'text/html' } }
let address: string
let stop: () => Promise<void>

/** A minimal service: it responds with the file that it read at startup. */
const service = `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const version = readFileSync(${JSON.stringify(source)}, 'utf8')
const server = createServer((request, response) => {
  if (request.url === '/docs') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Reference</h1>')
  if (request.url.startsWith('/api/')) return request.pipe(response.writeHead(200, { 'x-version': version }))
  response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"The console is not built"}}')
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
`

beforeAll(async () => {
  mkdirSync(join(folder, 'src'))
  writeFileSync(source, '1')
  writeFileSync(program, service)
  const servicePort = await freePort()
  const restarting = startRestarting({
    command: process.execPath,
    args: [program],
    cwd: folder,
    env: { ...process.env, PORT: String(servicePort) },
    folders: [join(folder, 'src')],
    beforeStart: undefined,
    say: () => {},
  })
  const consoleFolder = fileURLToPath(new URL('../../console', import.meta.url))
  const front = await startFront({ port: 0, servicePort, consoleFolder })
  address = `http://127.0.0.1:${front.port}`
  stop = async () => {
    await front.close()
    await restarting.stop()
  }
})

afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

it('forwards API requests to the service with their body', async () => {
  const answer = await fetch(`${address}/api/v1/events`, { method: 'POST', body: 'an event' })
  expect([answer.status, await answer.text()]).toEqual([200, 'an event'])
})

it('serves console addresses from the sources, with hot reload', async () => {
  const text = await (await fetch(`${address}/profiles/1/campaigns`, page)).text()
  expect(text).toContain('/@vite/client')
  expect(text).toContain('/src/main.tsx')
  const script = await (await fetch(`${address}/src/main.tsx`)).text()
  expect(script).toContain('import')
})

it('forwards pages of the service', async () => {
  expect(await (await fetch(`${address}/docs`, page)).text()).toBe('<h1>Reference</h1>')
})

it('forwards unknown addresses that a program requests', async () => {
  expect((await fetch(`${address}/nothing`)).status).toBe(404)
})

it('a change restarts the service, and requests wait for it', async () => {
  const version = async () => (await fetch(`${address}/api/v1/version`)).headers.get('x-version')
  expect(await version()).toBe('1')
  writeFileSync(source, '2')
  await expect.poll(version).toBe('2')
})
