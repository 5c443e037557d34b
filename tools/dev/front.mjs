import { readFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'

/** How long a request waits for a restarting service. */
const RESTART_MS = 60_000
/** Paths that Vite serves from sources; all others go to the service. */
const ofVite = /^\/(@|src\/|node_modules\/|boot\.js$|favicon\.svg$|app\.webmanifest$)|^\/__vite/

/** One address for both: Vite serves the console from its sources with hot reload, the service everything else. */
export async function startFront({ port, servicePort, consoleFolder, waitMs = RESTART_MS }) {
  const server = createServer()
  const vite = await startVite(server, consoleFolder)
  const page = async (url) =>
    vite.transformIndexHtml(url, await readFile(join(consoleFolder, 'index.html'), 'utf8'))

  server.on('request', (request, response) => {
    const path = request.url.split('?')[0]
    if (ofVite.test(path)) return vite.middlewares(request, response)
    forward({ request, response, servicePort, waitMs, page }).catch((error) => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
      response.end(`${error.message}\n`)
    })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: server.address().port,
    async close() {
      server.closeAllConnections()
      await Promise.all([vite.close(), new Promise((resolve) => server.close(resolve))])
    },
  }
}

async function startVite(server, consoleFolder) {
  const { createServer: createVite } = await import(
    createRequire(join(consoleFolder, 'package.json')).resolve('vite')
  )
  return createVite({
    root: consoleFolder,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, hmr: { server } },
  })
}

async function forward({ request, response, servicePort, waitMs, page }) {
  await untilListening(servicePort, waitMs)
  const { method, url } = request
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const answer = await new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port: servicePort, method, path: url, headers }, resolve)
    sent.on('error', reject)
    request.pipe(sent)
  })
  if (await isConsolePage(request, answer)) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    return response.end(await page(url))
  }
  response.writeHead(answer.statusCode, answer.headers)
  if (answer.whole !== undefined) return response.end(answer.whole)
  answer.pipe(response)
}

/** Whether the service responds with the built console, or with its 404 page if none is built. */
async function isConsolePage(request, answer) {
  const wantsPage = request.method === 'GET' && String(request.headers.accept ?? '').includes('text/html')
  const type = String(answer.headers['content-type'] ?? '')
  if (!wantsPage || !(type.startsWith('text/html') || answer.statusCode === 404)) return false
  const chunks = []
  for await (const chunk of answer) chunks.push(chunk)
  answer.whole = Buffer.concat(chunks)
  const text = answer.whole.toString('utf8')
  return text.includes('<script src="/boot.js">') || text.includes('The console is not built')
}

async function untilListening(port, waitMs) {
  const deadline = Date.now() + waitMs
  while (!(await accepts(port))) {
    if (Date.now() > deadline) throw new Error('The service is not running; see its output in the terminal.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
