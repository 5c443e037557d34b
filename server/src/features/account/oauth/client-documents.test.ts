import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { findClient } from './clients.ts'

let app: TestApp
let fetched: string[]
beforeAll(async () => {
  app = await startTestApp()
  fetched = []
  const { publicHttp } = app.service
  publicHttp.send = async ({ url }) => {
    fetched.push(url)
    const document = { client_id: url, client_name: 'Reader', redirect_uris: ['https://reader.example/back'] }
    const isThere = !url.endsWith('/missing')
    return {
      status: isThere ? 200 : 404,
      headers: {},
      bytes: Buffer.from(JSON.stringify(document)),
    } as unknown as Awaited<ReturnType<typeof publicHttp.send>>
  }
})
afterAll(() => app.close())

const find = (url: string, ip = '198.51.100.1') => findClient(app.service, url, ip)

it('a client document is fetched once for concurrent callers, even if it does not exist', async () => {
  fetched = []
  for (const path of ['client', 'missing']) {
    const url = `https://cached.example/${path}`
    const documents = await Promise.all([find(url), find(url, '198.51.100.2')])
    expect(new Set(documents).size).toBe(1)
    expect((await find(url))?.name).toBe(path === 'client' ? 'Reader' : undefined)
    expect(fetched.filter((fetchedUrl) => fetchedUrl === url)).toHaveLength(1)
  }
})

it('fetches are limited per caller and per target host', async () => {
  const outcome = (url: string, ip: string) =>
    find(url, ip).then(
      () => 'found',
      (error: { code: string }) => error.code,
    )
  const oneAsker = []
  for (let host = 0; host < 21; host++)
    oneAsker.push(await outcome(`https://host-${host}.example/client`, '198.51.100.3'))
  expect(oneAsker).toEqual([...Array(20).fill('found'), 'rate_limit_exceeded'])
  const oneHost = []
  for (let page = 0; page < 21; page++)
    oneHost.push(await outcome(`https://victim.example/${page}`, `203.0.113.${page}`))
  expect(oneHost).toEqual([...Array(20).fill('found'), 'rate_limit_exceeded'])
})
