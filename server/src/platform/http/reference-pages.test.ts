import { execFileSync } from 'node:child_process'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as sdk from '../../../../sdk/src/index.ts'
import { routes } from '../../app.ts'
import { publishedEvents } from '../../features/outgoing/webhooks/published-events.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { errorCatalogue } from '../contract/error-catalogue.ts'
import { exampleOf } from '../contract/examples.ts'
import { mountGuides } from './guide-pages.ts'
import { errorCodesOf } from './openapi-errors.ts'
import { schemaTable } from './reference-schema.ts'

const app = fastify()
const BASE = '/whence'
mountGuides(app, BASE)

const entries: Endpoint[] = routes.map(({ entry }) => entry)
const slugOf = ({ tag, name }: Endpoint) => `/docs/reference/${tag}/${name}`
const unescaped = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name]!,
  )
const blockOf = (page: string, language: string) => {
  const block = new RegExp(`<code class="language-${language}">([^<]*)</code>`).exec(page)?.[1]
  return block === undefined ? undefined : unescaped(block)
}

const pages = new Map<string, string>()
async function get(path: string): Promise<string> {
  if (!pages.has(path)) {
    const { statusCode, payload } = await app.inject(path)
    expect([path, statusCode]).toEqual([path, 200])
    pages.set(path, payload)
  }
  return pages.get(path)!
}

beforeAll(async () => {
  for (const entry of entries) await get(slugOf(entry))
})
afterAll(() => app.close())

it('lists every operation and webhook event, and the search finds them', async () => {
  const index = await get('/docs/reference')
  const { payload } = await app.inject('/docs/search.json')
  const indexed = new Set((JSON.parse(payload) as { slug: string }[]).map(({ slug }) => `/docs/${slug}`))
  const events = publishedEvents.map(({ type }) => `/docs/reference/webhook-events/${type}`)
  for (const path of [...entries.map(slugOf), ...events]) {
    expect(index).toContain(`href="${BASE}${path}"`)
    expect(indexed).toContain(path)
    await get(path)
  }
  expect(index).toContain(`href="${BASE}/openapi.json"`)
  // Anchors of earlier releases still point to the operation.
  for (const { tag, name } of entries) expect(index).toContain(`id="/${tag}/${name}"`)
})

it('all links point to existing pages and headings; no external resources are loaded', async () => {
  await get('/docs/reference')
  const anchors = new Set(
    [...(await get('/docs/errors')).matchAll(/<section id="(\w+)"/g)].map(([, code]) => code),
  )
  const targets = new Set<string>()
  for (const page of pages.values()) {
    expect(page.match(/<script/g)).toHaveLength(1)
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) targets.add(address!)
  }
  for (const target of targets) {
    if (target === 'data:,' || target.startsWith('#') || target === `${BASE}/openapi.json`) continue
    expect(target).toMatch(new RegExp(`^${BASE}/docs`))
    const [path, anchor] = target.slice(BASE.length).split('#')
    await get(path!)
    if (anchor !== undefined) expect(anchors).toContain(anchor)
  }
})

it.each([
  '/docs/nothing',
  '/docs/webhooks/nothing/at/all',
  '/docs/assets/nothing.css',
  '/docs/reference/',
  '/docs/reference/nothing',
  '/docs/reference/reports/nothing',
  '/docs/reference/webhooks/sendEvent',
])('%s answers 404: a page for people, JSON for programs', async (url) => {
  for (const accept of [
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    '*/*',
    undefined,
  ]) {
    const page = await app.inject({ url, headers: accept === undefined ? {} : { accept } })
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'accept, accept-encoding' })
    expect(page.payload).toContain('<h1>Page not found</h1>')
    expect(page.payload).toContain('id="search"')
    for (const [, path] of page.payload.matchAll(new RegExp(`href="${BASE}(/docs[^"]*)"`, 'g')))
      await get(path!)
  }
  for (const accept of ['application/json', 'application/json, application/problem+json;q=0.9']) {
    const { statusCode, headers } = await app.inject({ url, headers: { accept } })
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  }
})

it('shows the description, all parameters, body fields and error codes of every operation', async () => {
  for (const entry of entries) {
    const page = await get(slugOf(entry))
    const main = unescaped(page.slice(page.indexOf('<main>')).replace(/<[^>]*>/g, ''))
    expect(main).toContain(`/api/v1${entry.path}`)
    expect(main).toContain(entry.summary)
    expect(main).toContain(entry.description!.replaceAll('`', '').split('\n\n')[0])
    for (const part of [entry.params, entry.query, entry.body])
      for (const name of Object.keys((part as { shape?: object } | null)?.shape ?? {}))
        expect(page, `${entry.name} ${name}`).toMatch(new RegExp(`</span>${name}(\\[])?</code>`))
    for (const code of errorCodesOf(entry)) expect(page, entry.name).toContain(`/docs/errors#${code}"`)
  }
})

type Sent = { method: string; url: string; authorization: string | undefined; body: unknown }

const env = {
  WHENCE_URL: 'https://whence.example',
  WHENCE_KEY: 'key',
  WHENCE_TOKEN: 'token',
  CLIENT_ID: 'app',
  CLIENT_SECRET: 'secret',
}

/** Runs the commands in a shell and returns the arguments of curl, one list per command. */
function argumentsOf(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\1'; }\n${commands.join('\n')}\n`
  const output = execFileSync('sh', [], { input: script, env, maxBuffer: 2 ** 26 }).toString('utf8')
  return output
    .split('\x01')
    .slice(0, -1)
    .map((list) => list.split('\0').slice(0, -1))
}

function sentBy(list: readonly string[]): Sent {
  const after = (flag: string) => list.filter((_, index) => list[index - 1] === flag)
  const [body] = after('-d')
  const [user] = after('-u')
  const [header] = after('-H').filter((value) => value.startsWith('Authorization: '))
  return {
    method: after('-X')[0] ?? 'GET',
    url: list.find((argument) => argument.startsWith(env.WHENCE_URL))!,
    authorization: user === undefined ? header?.slice('Authorization: '.length) : `Basic ${btoa(user)}`,
    body: body === undefined ? undefined : JSON.parse(body),
  }
}

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<void>

const operations = new Map<string, unknown>(Object.entries(sdk))

/** The request that the SDK sends for the example. */
async function sentBySdk(code: string, name: string): Promise<Sent> {
  let sent: Sent | undefined
  const fetch = async (url: string | URL | Request, { method, headers, body }: RequestInit = {}) => {
    const { authorization } = headers as Record<string, string>
    sent = {
      method: method!,
      url: String(url),
      authorization,
      body: body === undefined ? undefined : JSON.parse(String(body)),
    }
    return new Response('{"data":null}')
  }
  const [first, ...lines] = code.split('\n')
  expect(first).toBe(`import { createClient, ${name} } from '@whence/sdk'`)
  // Strip TypeScript's non-null assertions.
  const plain = lines.join('\n').replace(/(process\.env\.\w+)!/g, '$1')
  const run = new AsyncFunction('createClient', name, 'process', plain)
  const createClient = (options: sdk.ClientOptions) => sdk.createClient({ ...options, fetch })
  await run(createClient, operations.get(name), { env })
  return sent!
}

describe('the requests', () => {
  const asAddress = (url: string) => {
    const { pathname, searchParams } = new URL(url)
    return [decodeURIComponent(pathname), Object.fromEntries(searchParams)]
  }

  /** By operation name; one shell runs all commands. */
  async function sentByCurl(): Promise<Map<string, Sent>> {
    const commands = await Promise.all(entries.map(async (entry) => blockOf(await get(slugOf(entry)), 'sh')!))
    const lists = argumentsOf(commands)
    expect(lists).toHaveLength(entries.length)
    return new Map(entries.map(({ name }, index) => [name, sentBy(lists[index]!)]))
  }

  it('of curl match the examples, which another test sends to the service', async () => {
    const sent = await sentByCurl()
    for (const entry of entries) {
      const { method, url, body, authorization } = sent.get(entry.name)!
      const { params, query, body: expected } = exampleOf(entry)!
      const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
      const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
      expect([entry.name, method, ...asAddress(url)]).toEqual([
        entry.name,
        entry.method,
        `/api/v1${path}`,
        texts,
      ])
      expect([entry.name, body]).toEqual([entry.name, expected ?? undefined])
      expect([entry.name, authorization !== undefined]).toEqual([entry.name, entry.access.kind !== 'public'])
    }
  })

  it('of the SDK send the same', async () => {
    const sent = await sentByCurl()
    let count = 0
    for (const entry of entries) {
      const code = blockOf(await get(slugOf(entry)), 'ts')
      if (code === undefined) continue
      count += 1
      const bySdk = await sentBySdk(code, entry.name)
      const byCurl = sent.get(entry.name)!
      expect([entry.name, ...asAddress(bySdk.url)]).toEqual([entry.name, ...asAddress(byCurl.url)])
      expect({ ...bySdk, url: '' }).toMatchObject({ ...byCurl, url: '' })
    }
    // All except two retired operations and two file uploads.
    expect(count).toBe(entries.length - 4)
  })
})

it('a recursive schema terminates, and union variants are named by their discriminating field', () => {
  const node = { type: 'object', properties: { child: { $ref: 'Node' }, of: { type: 'string' } } }
  const reference = {
    tags: [],
    resolve: (schema: { $ref?: string }) =>
      schema.$ref === undefined ? { schema } : { schema: node, name: 'Node' },
  }
  const form = (kind: string) => ({ type: 'object', properties: { kind: { const: kind } } })
  const { html } = schemaTable(
    reference,
    { type: 'object', properties: { top: { $ref: 'Node' }, one: { anyOf: [form('a'), form('b')] } } },
    'request',
  )!
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain('top. child')
  expect(text).not.toContain('top.child. child')
  expect(text).toContain('If kind of one is a')
})

it('names only codes of the catalogue', () => {
  for (const page of pages.values())
    for (const [, code] of page.matchAll(/docs\/errors#(\w+)"/g)) expect(errorCatalogue).toHaveProperty(code!)
})
