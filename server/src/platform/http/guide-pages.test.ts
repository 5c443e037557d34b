import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { attribute, defaultSettings, models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeApp, makeOwnProfile } from '../../../test/make.ts'
import { routes } from '../../app.ts'
import { DataDrivenReason } from '../../features/advice/data-driven/contract.ts'
import { listPayments } from '../../features/corrections/payments/contract.ts'
import { createAlert } from '../../features/sharing/alerts/contract.ts'
import { grants } from '../contract/access.ts'
import { signWebhook, toSigningKey } from '../outbound/standard-webhooks.ts'
import { changelogPage } from './changelog-page.ts'
import { rankPages, type SearchEntry } from './docs-search.ts'

const run = promisify(execFile)
const folder = new URL('../../../../docs/guides/', import.meta.url)
const files = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const)
const guide = (name: string) => files.find(([file]) => file === name)![1]
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!)

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('serves every guide with a menu, and all internal links resolve', async () => {
  const home = await (await fetch(`${app.baseUrl}/docs`)).text()
  const links = new Set([...home.matchAll(/href="(\/docs(?!\/assets)[^"#]*)/g)].map(([, path]) => path!))
  expect(links.size).toBeGreaterThan(files.length)
  for (const [name] of files) expect(links).toContain(`/docs/${name.replace('.md', '')}`)
  for (const path of links) {
    const page = await fetch(`${app.baseUrl}${path}`)
    expect([path, page.status]).toEqual([path, 200])
    const text = await page.text()
    // Nothing is loaded from elsewhere.
    expect(text).not.toMatch(/(?:src|<link[^>]*href)="https?:/)
    // Reference pages have their own test.
    for (const [, inner] of text.matchAll(/href="(\/docs(?!\/assets|\/reference\/)[^"#]*)/g))
      expect([...links, '/docs']).toContain(inner)
  }
  const index = (await (await fetch(`${app.baseUrl}/docs/search.json`)).json()) as {
    title: string
    text: string
  }[]
  expect(index.find((page) => page.title === 'Webhooks')!.text).toContain('Standard Webhooks')
  expect(index.find((page) => page.title === 'entitlement_required')!.text).toContain(
    'entitlements/attribution',
  )
  expect(index.find((page) => page.title === 'Changelog')!.text).toContain('One section per release')
  expect(index.find((page) => page.title === 'POST /profiles')!.text).toContain('createProfile')
})

it('the search lists guides before error codes, and an exact title first', async () => {
  const pages = (await (await fetch(`${app.baseUrl}/docs/search.json`)).json()) as SearchEntry[]
  const titlesOf = (query: string) => rankPages(pages, query).map(({ title }) => title)
  for (const query of ['ga4', 'troubleshoot', 'refund', 'consent', 'webhook retry']) {
    const kinds = rankPages(pages, query).map(({ kind }) => kind)
    expect([query, kinds[0]]).toEqual([query, 'guide'])
    const firstError = kinds.indexOf('error')
    if (firstError !== -1) expect(kinds.lastIndexOf('guide')).toBeLessThan(firstError)
  }
  expect(titlesOf('troubleshoot')[0]).toBe('Troubleshooting')
  expect(titlesOf('ga4')).toContain('Why platforms report other numbers')
  expect(titlesOf('not_found')[0]).toBe('not_found')
  expect(titlesOf('nosuchword')).toEqual([])
  const script = await (await fetch(`${app.baseUrl}/docs/assets/search.js`)).text()
  expect(script).toContain('Nothing found for')
  expect(() => new Function(script)).not.toThrow()
})

it('the guide to models explains every reason to withhold the data-driven model', () => {
  for (const reason of DataDrivenReason.options) expect(guide('models.md')).toContain(`| \`${reason}\` |`)
})

it('the changelog is a page, with its code and text as text', () => {
  const { html, headings } = changelogPage(
    '# Changelog\n\nOne **per** [release](docs/a.md).\n\n## 0.2.0 (unreleased)\n\n- `a<b>`\n- Two\n\n## 0.1.0\n\n<script>',
  )
  expect(html).toBe(
    [
      '<h1>Changelog</h1>',
      '<p>One <b>per</b> release.</p>',
      '<h2 id="0.2.0">0.2.0 (unreleased)</h2>',
      '<ul><li><code>a&lt;b&gt;</code></li>',
      '<li>Two</li></ul>',
      '<h2 id="0.1.0">0.1.0</h2>',
      '<p>&lt;script&gt;</p>',
    ].join('\n'),
  )
  expect(headings.map(({ id }) => id)).toEqual(['0.2.0', '0.1.0'])
})

it('an unknown path below /docs returns a page to people and the error envelope to programs', async () => {
  for (const path of ['/docs/nothing', '/docs/reference/nothing']) {
    const page = await fetch(`${app.baseUrl}${path}`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Page not found')])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const answer = await fetch(`${app.baseUrl}${path}`, { headers: { accept: 'application/json' } })
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  }
  expect((await fetch(`${app.baseUrl}/docs/`)).status).toBe(200)
})

it('names only routes that exist', () => {
  const existing = new Set(routes.map(({ entry }) => `${entry.method} ${entry.path}`))
  const mentioned = files.flatMap(([, text]) => [
    ...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)`/g),
  ])
  expect(mentioned.length).toBeGreaterThan(10)
  expect(mentioned.map(([, route]) => route!).filter((route) => !existing.has(route))).toEqual([])
})

it('the worked example of the models matches the engine', () => {
  const day = (date: number) => Date.parse(`2026-05-${String(date).padStart(2, '0')}T10:00:00Z`)
  const touches = [6, 13, 20].map((date, index) => ({
    id: String(index),
    occurredAt: day(date),
    recordedAt: day(date),
    isDirect: date === 20,
  }))
  const rows = new Map(
    [...guide('models.md').matchAll(/^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)].map(
      ([, model, ...amounts]) => [model!, amounts.map((text) => Math.round(Number(text) * 100))],
    ),
  )
  const { perModel } = attribute({ occurredAt: day(20), amountMinor: 10_000 }, touches, defaultSettings)
  for (const model of models) {
    const amounts = [0, 0, 0]
    for (const { touchIndex, amountMinor } of perModel[model]) amounts[touchIndex] = amountMinor
    expect([model, rows.get(model)]).toEqual([model, amounts])
  }
})

it('the requests of the quick start succeed, from an app without a profile to a report', async () => {
  const { workspaceId } = await makeOwnProfile(app)
  const partner = await makeApp(app, workspaceId)
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    WHENCE_URL: app.baseUrl,
    CLIENT_ID: partner.clientId,
    CLIENT_SECRET: partner.secret,
  }
  const requests = blocksOf(guide('start-partner.md'), 'sh')
  expect(requests).toHaveLength(6)
  for (const request of requests) {
    const { data } = JSON.parse((await run('sh', ['-c', request], { env })).stdout)
    if (data.api_key !== undefined)
      Object.assign(env, {
        PROFILE_ID: data.profile_id,
        WHENCE_KEY: data.api_key,
        CONNECTIONS_KEY: data.connections_key,
      })
    expect(data).toBeTruthy()
  }
})

const senders = [
  ['Google’s protocol', 'sh', ['sh', '-c']],
  ['Segment’s client', 'js', [process.execPath, '--input-type=module', '-e']],
] as const
it.each(senders)(
  'the example of %s records a payment exactly once',
  { timeout: 30_000 },
  async (_, language, command) => {
    const { key, profileId, call } = await makeOwnProfile(app, ['events:write', 'payments:read'])
    const [program, ...options] = [...command, blocksOf(guide('senders.md'), language)[0]!]
    const env = { PATH: process.env.PATH, WHENCE_URL: app.baseUrl, WHENCE_KEY: key }
    const cwd = fileURLToPath(new URL('../../../', import.meta.url))
    for (let times = 0; times < 2; times++) await run(program!, options, { env, cwd })
    await app.service.processor.settled(profileId)
    const now = app.service.clock.now().getTime()
    const at = (days: number) => new Date(now + days * 86_400_000).toISOString()
    const { data } = await call(listPayments, { query: { from: at(-1), to: at(1) } })
    expect(data.map(({ value, currency }) => [value, currency])).toEqual([[129.9, 'EUR']])
  },
)

it('the example of an alert is accepted', async () => {
  const { call } = await makeOwnProfile(app, ['tracking:write', 'campaigns:read'])
  const [example] = blocksOf(guide('alerts.md'), 'json')
  const { data } = await call(createAlert, { body: JSON.parse(example!) })
  expect(data.name).toBe('Revenue drops')
})

it('the table of grants lists their scopes', () => {
  const rows = [...guide('start-partner.md').matchAll(/^\| `(\w+)` \| (.*) \|$/gm)]
  const { adoption: _, attribution_write: __, ...published } = grants
  expect(rows.map(([, grant]) => grant)).toEqual(Object.keys(published))
  const listed = Object.fromEntries(rows.map(([, grant, list]) => [grant!, list!.split(', ')]))
  listed.analytics_pii = [...listed.analytics!, ...listed.analytics_pii!.slice(1)]
  expect(listed).toEqual(published)
})

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = '{"type":"conversion.credited"}'
const headers = signWebhook([toSigningKey(secret)], {
  id: 'e1',
  sentAt: new Date('2026-05-01T00:00:00Z'),
  body,
})
const seconds = Number(headers['webhook-timestamp'])

it('the JavaScript example for webhook verification accepts valid signatures and rejects others', async () => {
  const [code] = blocksOf(guide('webhooks.md'), 'js')
  const { verify } = (await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as {
    verify(body: string, headers: object, secret: string, now: number): boolean
  }
  expect(verify(body, headers, secret, seconds * 1000)).toBe(true)
  expect(verify(`${body} `, headers, secret, seconds * 1000)).toBe(false)
  expect(verify(body, headers, secret, (seconds + 301) * 1000)).toBe(false)
  const { 'webhook-signature': _, ...unsigned } = headers
  expect(verify(body, unsigned, secret, seconds * 1000)).toBe(false)
  expect(verify(body, {}, secret, seconds * 1000)).toBe(false)
})

const argsOf = (body: string, at: number) => JSON.stringify([body, headers, secret, at])
const languages: Record<string, { command: string[]; calls: (args: string) => string }> = {
  python: {
    command: ['python3', '-c'],
    calls: (args) =>
      `import json\nassert not verify(b'', {}, 'whsec_', 0)\ndef raw(body, *rest): return verify(body.encode(), *rest)\nprint([verify(*json.loads(a)) and raw(*json.loads(a)) for a in ${args}])`,
  },
  php: {
    command: ['php', '-r'],
    calls: (args) => `echo json_encode(array_map(fn($a) => verify(...json_decode($a, true)), ${args}));`,
  },
  ruby: {
    command: ['ruby', '-e'],
    calls: (args) => `require "json"\nprint ${args}.map { |a| verify(*JSON.parse(a)) }`,
  },
}
it.each(Object.entries(languages))(
  'the %s example for webhook verification does too, if the language is installed',
  async (name, language) => {
    const [code] = blocksOf(guide('webhooks.md'), name)
    const args = [argsOf(body, seconds), argsOf(`${body} `, seconds), argsOf(body, seconds + 301)]
    const [command, flag] = language.command as [string, string]
    const installed = await run(command, ['--version']).then(
      () => true,
      () => false,
    )
    if (!installed) return
    const program = `${code!.replace('<?php', '')}\n${language.calls(JSON.stringify(args))}`
    const { stdout } = await run(command, [flag, program])
    expect(stdout.toLowerCase().replace(/\s/g, '')).toBe('[true,false,false]')
  },
)
