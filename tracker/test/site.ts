// A real web site and collectors over HTTP, for running the tracker in Chromium.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext } from 'playwright-core'
import { expect } from 'vitest'
import {
  type BrowserWindow,
  type LaunchOptions,
  launchBrowser,
  openWindow,
} from '../../server/test/browser.ts'
import { buildConsentScript, buildTracker } from '../build.ts'
import type { EventType, SentEvent } from '../src/wire.ts'

/** A browser without the driver's automation marks, which would disable the tracker. */
const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

export function launchPersonBrowser({
  prefersInstalled = false,
}: Pick<LaunchOptions, 'prefersInstalled'> = {}): Promise<Browser> {
  return launchBrowser({
    prefersInstalled,
    args: [
      '--disable-blink-features=AutomationControlled',
      // For the whole browser, because requests of a closing page no longer use its context's settings.
      `--user-agent=${PERSON}`,
      // Hosts under .test resolve to this machine, so that tests can use subdomains.
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ],
    withoutArgs: ['--disable-back-forward-cache'],
  })
}

export function newPerson(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ userAgent: PERSON })
}

/** A page without the tracker, for leaving a site. */
const AWAY = '/away'

export function openPersonWindow(browser: Browser): Promise<BrowserWindow> {
  return openWindow(browser, { userAgent: PERSON, away: AWAY })
}

type Request = { path: string; contentType: string; body: string }
type Reply = { status: number; headers?: Record<string, string>; json?: unknown }

export type Collector = Awaited<ReturnType<typeof openCollector>>

export async function openCollector() {
  const requests: Request[] = []
  let reply: (request: Request) => Reply | Promise<Reply> = () => ({ status: 202 })
  builtSecond ??= buildConsentScript()
  const second = await builtSecond
  let isSecondServed = true
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/tracker-consent.js')) {
      response.writeHead(isSecondServed ? 200 : 404, { 'Content-Type': 'text/javascript' }).end(second)
      return
    }
    void readBody(request).then(async (body) => {
      const got = { path: request.url ?? '', contentType: request.headers['content-type'] ?? '', body }
      requests.push(got)
      const { status, headers, json = {} } = await reply(got)
      response.writeHead(status, {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'Retry-After',
        ...headers,
      })
      response.end(JSON.stringify(json))
    })
  })
  const origin = await listen(server)
  const events = () => requests.filter((request) => request.path.endsWith('/collect')).flatMap(eventsOf)
  return {
    origin,
    requests,
    answer(next: typeof reply) {
      reply = next
    },
    /** As if a policy of the page or the network forbade the second script. */
    withoutSecondScript() {
      isSecondServed = false
    },
    /** All deliveries, including repeated ones. */
    events,
    /** Each event once, as a deduplicating collector stores it. */
    stored: () => [...new Map(events().map((event) => [event.event_id, event])).values()],
    ofType: (type: EventType) =>
      [...new Map(events().map((e) => [e.event_id, e])).values()].filter((e) => e.type === type),
    close: () => close(server),
  }
}

function eventsOf(request: Request): SentEvent[] {
  return (JSON.parse(request.body) as { events: SentEvent[] }).events
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** The snippet as written by hand. */
export function snippetWith(attributes: string): string {
  return `<script>window.whence=window.whence||function(){(whence.q=whence.q||[]).push(arguments)}</script>
<script async src="/tracker.js" ${attributes}></script>`
}

let built: Promise<string> | undefined
let builtSecond: Promise<string> | undefined

/** Responses of a site's server other than its page; undefined for a page. */
type SiteAnswer = (request: { method: string; path: string; body: string }) => unknown

/** Serves /tracker.js and, for all other paths, a page with the snippet and some links and forms. */
export async function openSite(snippet: () => string, answer: SiteAnswer = () => undefined) {
  built ??= buildTracker()
  const script = await built
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/tracker.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script)
      return
    }
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end()
      return
    }
    void readBody(request).then((body) => {
      const path = request.url ?? ''
      const json = answer({ method: request.method ?? '', path, body })
      if (json !== undefined) {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
        return
      }
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end(path === AWAY ? '<!doctype html><title>Away</title>' : pageHtml(snippet()))
    })
  })
  const origin = await listen(server)
  return { origin, close: () => close(server) }
}

function pageHtml(snippet: string): string {
  return `<!doctype html><title>Shop</title>
${snippet}
<a id="inside" href="/inside">inside</a>
<a id="outside" href="https://partner.example/" onclick="event.preventDefault()">partner</a>
<a id="chat" href="https://wa.me/15550100?text=hi" onclick="event.preventDefault()">chat</a>
<form id="contact" name="contact" action="/thanks">
  <input name="email" type="email"><input name="your-name"><input name="phone" type="tel">
  <input name="notes" value="private"><input type="hidden" name="token" value="secret"><button>Send</button>
</form>
<form id="login" action="/in"><input name="email"><input type="password" name="pw"><button>In</button></form>
<form id="search" action="/find"><input name="q"><button>Find</button></form>`
}

export async function listen(server: ReturnType<typeof createServer>, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Waits until the condition is true, limited only by the test's own timeout. */
export async function until(condition: () => unknown, what: string): Promise<void> {
  await expect.poll(() => Boolean(condition()), { timeout: 30_000, interval: 20, message: what }).toBe(true)
}
