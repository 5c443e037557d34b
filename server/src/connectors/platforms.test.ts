import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { platforms, platformsSection } from './platforms.ts'

it('names for every connector the scopes and the callback that it really asks with', async () => {
  const app = await startTestApp({ SANDBOX: 'on' })
  try {
    for (const [provider, { connector }] of app.service.providers) {
      const told = platforms.find((one) => one.name === provider)!
      expect(told, provider).toBeDefined()
      const real = {
        clientId: 'id',
        clientSecret: 'secret',
        authorizeBaseUrl: told.authorizeBaseUrl!,
        apiBaseUrl: told.apiBaseUrl,
        extra: {},
      }
      const request = {
        redirectUri: `https://x.example/connect/callback/${provider}`,
        state: 's',
        codeChallenge: 'c',
        shop: 'demo',
      }
      const url = new URL(connector.authorizeUrl(real, request as never))
      const asked = (url.searchParams.get('scope') ?? '').split(/[ ,]/).filter((scope) => scope !== '')
      expect([provider, asked]).toEqual([provider, told.scopes])
      expect(url.protocol).toBe('https:')
      expect(platformsSection()).toContain(`BASE_URL/connect/callback/${provider}`)
    }
    expect(app.service.providers.size).toBe(platforms.length - 2)
  } finally {
    await app.close()
  }
})

it('claims a day only for the rows that were read', () => {
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
