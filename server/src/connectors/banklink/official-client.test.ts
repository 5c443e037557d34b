/** The official client, pointed at the sandbox: the whole hosted link, and what the platform refuses. */
import { Configuration, CountryCode, PlaidApi, Products } from 'plaid'
import { beforeEach, expect, test } from 'vitest'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import { apiVersions } from '../versions.ts'
import { finishLink, readLinkedToken, startLink } from './client.ts'
import { createBanklinkSandbox } from './sandbox/sandbox.ts'

const now = new Date('2026-03-10T12:00:00Z')
const app = sandboxApp('banklink')
let http: ReturnType<typeof sandboxOutbound>
let client: PlaidApi

/** The client's transport, which is axios, as a call of the sandbox. */
type Asked = { method?: string; url?: string; data?: unknown; headers?: Record<string, string> }
async function adapter(asked: Asked) {
  const headers = Object.fromEntries(
    Object.entries(asked.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  const json = { ...(JSON.parse(String(asked.data)) as object), ...credentialsOf(headers) }
  const url = `${app.apiBaseUrl}${new URL(asked.url!).pathname}`
  const reply = await http.send({ method: 'POST', url, headers, body: JSON.stringify(json) })
  const data: unknown = JSON.parse(Buffer.from(reply.bytes).toString())
  const response = { data, status: reply.status, statusText: '', headers: {}, config: asked }
  if (reply.status < 300) return response
  throw Object.assign(new Error('refused'), { response })
}
const credentialsOf = (headers: Record<string, string>) => ({
  client_id: headers['plaid-client-id'],
  secret: headers['plaid-secret'],
})

beforeEach(() => {
  http = sandboxOutbound(createBanklinkSandbox(sandboxOptions(() => now).options))
  const headers = { 'PLAID-CLIENT-ID': app.clientId, 'PLAID-SECRET': app.clientSecret }
  const baseOptions = { headers, adapter }
  client = new PlaidApi(new Configuration({ basePath: 'https://sandbox.plaid.com', baseOptions }))
})

const wanted = {
  client_name: 'Whence',
  language: 'en',
  country_codes: [CountryCode.Us],
  user: { client_user_id: 'u' },
  products: [Products.Transactions],
  hosted_link: { url_lifetime_seconds: 1800 },
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: { response: { data: { error_code: string } } }) => error.response.data.error_code,
  )

test('the client makes a hosted link, sees it finished and exchanges its token', async () => {
  const { data: link } = await client.linkTokenCreate(wanted)
  const before = await client.linkTokenGet({ link_token: link.link_token })
  expect(before.data.link_sessions).toEqual([])
  await http.send({ method: 'GET', url: link.hosted_link_url! })
  const { data } = await client.linkTokenGet({ link_token: link.link_token })
  const public_token = data.link_sessions![0]!.results!.item_add_results[0]!.public_token
  const exchanged = await client.itemPublicTokenExchange({ public_token })
  const accounts = await client.accountsGet({ access_token: exchanged.data.access_token })
  expect(accounts.data.accounts).toHaveLength(1)
})

test('the connector takes the same way, in the version that the client speaks', async () => {
  const person = { clientName: 'Shop', userId: 'u', countryCodes: ['US'] }
  const link = await startLink(http, app, person)
  expect(await readLinkedToken(http, app, link.linkToken)).toBeNull()
  await http.send({ method: 'GET', url: link.url })
  const publicToken = await readLinkedToken(http, app, link.linkToken)
  expect((await finishLink(http, app, publicToken!)).account.currency).toBe('USD')
  const { headers } = new Configuration().baseOptions as { headers?: Record<string, string> }
  expect(apiVersions.banklink.version).toBe(headers?.['Plaid-Version'] ?? '2020-09-14')
})

test('what the platform refuses, the sandbox refuses', async () => {
  expect(await codeOf(client.linkTokenCreate({ ...wanted, colour: 'red' } as never))).toBe('UNKNOWN_FIELDS')
  const { language: _, ...without } = wanted
  expect(await codeOf(client.linkTokenCreate(without as never))).toBe('MISSING_FIELDS')
  expect(await codeOf(client.linkTokenGet({ link_token: 'link-x' }))).toBe('INVALID_LINK_TOKEN')
  const url = `${app.apiBaseUrl}/link/token/get`
  const headers = { 'plaid-version': '2017-03-08', 'content-type': 'application/json' }
  const reply = await http.send({ method: 'POST', url, headers, body: '{}' })
  expect(reply.status).toBe(400)
})
