import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { platforms } from './platforms.ts'
import { platformsSection } from './platforms-section.ts'

it('lists the scopes and the callback of every connector’s authorize URL', async () => {
  const app = await startTestApp({ SANDBOX: 'on' })
  try {
    for (const [provider, { connector }] of app.service.providers) {
      const platform = platforms.find((candidate) => candidate.name === provider)!
      expect(platform, provider).toBeDefined()
      const real = {
        clientId: 'id',
        clientSecret: 'secret',
        authorizeBaseUrl: platform.authorizeBaseUrl!,
        apiBaseUrl: platform.apiBaseUrl,
        extra: {},
      }
      const request = {
        redirectUri: `https://x.example/connect/callback/${provider}`,
        state: 's',
        codeChallenge: 'c',
        shop: provider === 'woocommerce' ? 'demo.example' : 'demo',
      }
      const url = new URL(connector.oauth.authorizeUrl(real, request))
      const requestedScopes = (url.searchParams.get('scope') ?? '')
        .split(/[ ,]/)
        .filter((scope) => scope !== '')
      expect([provider, requestedScopes]).toEqual([provider, platform.scopes])
      expect(url.protocol).toBe('https:')
      expect(platformsSection()).toContain(`BASE_URL/connect/callback/${provider}`)
      expect([provider, platform.webhooks !== null]).toEqual([provider, connector.webhooks !== undefined])
    }
    expect(app.service.providers.size).toBe(platforms.length - 2)
  } finally {
    await app.close()
  }
})

it('has a day only in rows whose source was read', () => {
  const sources = platformsSection()
    .split('\n')
    .filter((line) => line.startsWith('- source: '))
  expect(sources).toHaveLength(platforms.length)
  platforms.forEach(({ source, readOn }, index) => {
    expect(sources[index]).toBe(
      `- source: ${source} ${readOn === null ? '(not verified)' : `(read on ${readOn})`}`,
    )
  })
  expect(platformsSection().split('\n### ')[0]).not.toMatch(/\d{4}-\d\d-\d\d/)
})

/** Code outside a connector's folder that uses its registration. */
const besides: Record<string, string> = {
  engine_ads: 'engine-oauth.ts',
  engine_search_console: 'engine-oauth.ts',
  external_calendar: 'microsoft-oauth.ts',
  microsoft_ads: 'microsoft-oauth.ts',
  gmail: 'engine-oauth.ts',
  microsoft_mail: 'microsoft-oauth.ts',
  engine_calendar: 'engine-oauth.ts',
  banklink: '../features/sources/bank-links/operations.ts',
}

it.each(platforms)('lists exactly the extra settings that the code of $name reads', ({ name, extra }) => {
  const folder = new URL(`${name.replaceAll('_', '-')}/`, import.meta.url)
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => new URL(file, folder))
  const other = besides[name]
  if (other !== undefined) files.push(new URL(other, import.meta.url))
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const read = new Set([...code.matchAll(/\bapp\.extra\.(\w+)/g)].map(([, key]) => key))
  expect(Object.keys(extra).sort()).toEqual([...read].sort())
})
