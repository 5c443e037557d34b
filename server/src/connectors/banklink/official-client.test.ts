/** The official client against the sandbox: the complete hosted link, and the platform's errors. */
import { createHash } from 'node:crypto'
import { createBanklinkSandbox } from '@whence/sandbox/banklink/sandbox.ts'
import { generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import { Configuration, CountryCode, type LinkSessionFinishedWebhook, PlaidApi, Products } from 'plaid'
import { beforeEach, describe, expect, test } from 'vitest'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import { apiVersions } from '../versions.ts'
import { finishLink, readLinkedToken, startLink } from './client.ts'
import { createWebhookKeys, isVerified, readFinishedSession, readVerification } from './webhook.ts'

const now = new Date('2026-03-10T12:00:00Z')
const app = sandboxApp('banklink')
let http: ReturnType<typeof sandboxOutbound>
let client: PlaidApi

/** The client's transport (axios), redirected to the sandbox. */
type Asked = { method?: string; url?: string; data?: unknown; headers?: Record<string, string> }
async function adapter(request: Asked) {
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
  const json = { ...(JSON.parse(String(request.data)) as object), ...credentialsOf(headers) }
  const url = `${app.apiBaseUrl}${new URL(request.url!).pathname}`
  const reply = await http.send({ method: 'POST', url, headers, body: JSON.stringify(json) })
  const data: unknown = JSON.parse(Buffer.from(reply.bytes).toString())
  const response = { data, status: reply.status, statusText: '', headers: {}, config: request }
  if (reply.status < 300) return response
  throw Object.assign(new Error('refused'), { response })
}
const credentialsOf = (headers: Record<string, string>) => ({
  client_id: headers['plaid-client-id'],
  secret: headers['plaid-secret'],
})

let sent: ReturnType<typeof sandboxOptions>['sent']
beforeEach(() => {
  const setup = sandboxOptions(() => now)
  sent = setup.sent
  http = sandboxOutbound(createBanklinkSandbox(setup.options))
  const headers = { 'PLAID-CLIENT-ID': app.clientId, 'PLAID-SECRET': app.clientSecret }
  const baseOptions = { headers, adapter }
  client = new PlaidApi(new Configuration({ basePath: 'https://sandbox.plaid.com', baseOptions }))
})

const linkRequest = {
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

test('the client creates a hosted link, sees it finished and exchanges its token', async () => {
  const { data: link } = await client.linkTokenCreate(linkRequest)
  const before = await client.linkTokenGet({ link_token: link.link_token })
  expect(before.data.link_sessions).toEqual([])
  await http.send({ method: 'GET', url: link.hosted_link_url! })
  const { data } = await client.linkTokenGet({ link_token: link.link_token })
  const public_token = data.link_sessions![0]!.results!.item_add_results[0]!.public_token
  const exchanged = await client.itemPublicTokenExchange({ public_token })
  const accounts = await client.accountsGet({ access_token: exchanged.data.access_token })
  expect(accounts.data.accounts).toHaveLength(1)
})

test('the connector follows the same steps with the client’s version', async () => {
  const person = { clientName: 'Shop', userId: 'u', countryCodes: ['US'], webhook: 'https://w.example/in' }
  const link = await startLink(http, app, person)
  expect(await readLinkedToken(http, app, link.linkToken)).toBeNull()
  await http.send({ method: 'GET', url: link.url })
  const publicToken = await readLinkedToken(http, app, link.linkToken)
  expect((await finishLink(http, app, publicToken!)).account.currency).toBe('USD')
  const { headers } = new Configuration().baseOptions as { headers?: Record<string, string> }
  expect(apiVersions.banklink.version).toBe(headers?.['Plaid-Version'] ?? '2020-09-14')
})

test('the sandbox refuses what the platform refuses', async () => {
  expect(await codeOf(client.linkTokenCreate({ ...linkRequest, colour: 'red' } as never))).toBe(
    'UNKNOWN_FIELDS',
  )
  const { language: _, ...without } = linkRequest
  expect(await codeOf(client.linkTokenCreate(without as never))).toBe('MISSING_FIELDS')
  expect(await codeOf(client.linkTokenGet({ link_token: 'link-x' }))).toBe('INVALID_LINK_TOKEN')
  const url = `${app.apiBaseUrl}/link/token/get`
  const headers = { 'plaid-version': '2017-03-08', 'content-type': 'application/json' }
  const reply = await http.send({ method: 'POST', url, headers, body: '{}' })
  expect(reply.status).toBe(400)
})

describe('the webhook of a finished session', () => {
  async function finished() {
    const { data: link } = await client.linkTokenCreate({ ...linkRequest, webhook: 'https://w.example/in' })
    await http.send({ method: 'GET', url: link.hosted_link_url! })
    const [webhook] = sent.splice(0)
    return { link, body: Buffer.from(webhook!.body), jwt: webhook!.headers['plaid-verification']! }
  }
  const verified = async (jwt: string, body: Uint8Array, at = now) => {
    const verification = readVerification(jwt)
    const key = verification && (await createWebhookKeys(http, app)(verification.keyId, at))
    return key != null && isVerified(verification!, key, body, at)
  }

  test('is verified by an independent JWT library with the key that the client returns, and by us', async () => {
    const { link, body, jwt } = await finished()
    const { keyId } = readVerification(jwt)!
    const { data } = await client.webhookVerificationKeyGet({ key_id: keyId })
    const { payload } = await jwtVerify(jwt, await importJWK(data.key), {
      algorithms: ['ES256'],
      currentDate: now,
      maxTokenAge: '5 min',
    })
    expect(payload.request_body_sha256).toBe(createHash('sha256').update(body).digest('hex'))
    expect(await verified(jwt, body)).toBe(true)
    const notice: Partial<LinkSessionFinishedWebhook> = JSON.parse(body.toString())
    expect(notice).toMatchObject({ webhook_type: 'LINK', webhook_code: 'SESSION_FINISHED' })
    const session = readFinishedSession({ rawBody: body })
    expect(session).toMatchObject({ link_token: link.link_token, status: 'SUCCESS' })
    expect(JSON.stringify(session)).not.toContain('public-')
  })

  test('is accepted for five minutes in either direction, no longer', async () => {
    const { body, jwt } = await finished()
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
    for (const [seconds, believed] of [
      [299, true],
      [301, false],
      [-299, true],
      [-301, false],
    ] as const)
      expect(await verified(jwt, body, after(seconds))).toBe(believed)
  })

  test('with another body, key, algorithm or shape is rejected', async () => {
    const { body, jwt } = await finished()
    const { keyId, claims } = readVerification(jwt)!
    expect(await verified(jwt, Buffer.concat([body, Buffer.from(' ')]))).toBe(false)
    const [head, middle, signature] = jwt.split('.') as [string, string, string]
    expect(await verified(`${head}.${middle}.${signature.slice(0, -4)}AAAA`, body)).toBe(false)
    const { privateKey } = await generateKeyPair('ES256')
    const forged = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: keyId })
    expect(await verified(await forged.sign(privateKey), body)).toBe(false)
    const unknown = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'another-key' })
    expect(await verified(await unknown.sign(privateKey), body)).toBe(false)
    const symmetric = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: keyId })
    expect(await verified(await symmetric.sign(Buffer.from('secret')), body)).toBe(false)
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', kid: keyId })).toString('base64url')}.${middle}.`
    for (const odd of [none, '', 'a.b', 'a.b.c', `${head}.${middle}`])
      expect(await verified(odd, body)).toBe(false)
  })

  test('keys are fetched once an hour, unknown ones are cached too, and lookups are limited', async () => {
    const { jwt } = await finished()
    const { keyId } = readVerification(jwt)!
    const requestedUrls: string[] = []
    const counting = {
      ...http,
      send: (request: Parameters<typeof http.send>[0]) => {
        requestedUrls.push(request.url)
        return http.send(request)
      },
    }
    const find = createWebhookKeys(counting, app)
    await Promise.all([find(keyId, now), find(keyId, now), find('unknown', now), find('unknown', now)])
    expect(requestedUrls).toHaveLength(2)
    expect(await find(keyId, new Date(now.getTime() + 3_599_000))).not.toBeNull()
    expect(requestedUrls).toHaveLength(2)
    await find(keyId, new Date(now.getTime() + 3_601_000))
    expect(requestedUrls).toHaveLength(3)
    const flood = Array.from({ length: 30 }, (_, n) => find(`made-up-${n}`, now).catch(() => 'later'))
    expect((await Promise.all(flood)).filter((answer) => answer === 'later').length).toBeGreaterThan(5)
    expect(requestedUrls.length).toBeLessThan(25)
    expect(await find(keyId, now)).not.toBeNull()
  })
})
