/** Google's official client and its types against the sandbox, and the connector's mail against both. */
import { gmail as gmailClient } from '@googleapis/gmail'
import { createGmailSandbox } from '@whence/sandbox/gmail/sandbox.ts'
import PostalMime from 'postal-mime'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectInSandbox } from '../../../test/connect-in-sandbox.ts'
import { publishedTypes } from '../../../test/published-types.ts'
import { sandboxFetch } from '../../../test/sandbox-fetch.ts'
import { recorded, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { gmail } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const app = sandboxApp('gmail')
const { sandbox, requests } = recorded(createGmailSandbox(sandboxOptions(() => now).options))
const http = sandboxOutbound(sandbox)
const undeclared = publishedTypes('@googleapis/gmail', 'build/v1.d.ts')
const client = gmailClient({ version: 'v1', retry: false, fetchImplementation: sandboxFetch(sandbox) })
let session: Session
beforeAll(async () => {
  const { token } = await connectInSandbox(gmail, http, app, { now })
  const [account] = await gmail.listAccounts(http, app, token)
  session = {
    http,
    app,
    token: { ...token, extra: { ...token.extra, ...account!.tokenExtra } },
    accountId: account!.id,
  }
})
beforeEach(() => sandbox.act('reset', {}))

const as = () => ({ headers: { authorization: `Bearer ${session.token.accessToken}` } })
const send = (mime: string) =>
  client.users.messages.send(
    { userId: 'me', requestBody: { raw: Buffer.from(mime).toString('base64url') } },
    as(),
  )
const mail = {
  to: ['ana@example.com'],
  subject: 'Plan',
  text: 'Ready',
  html: undefined,
  replyTo: undefined,
  messageId: 'm-1',
}

test('the official client sends a mail, and its types have every member of the response', async () => {
  const { data, status } = await send('To: ana@example.com\r\nSubject: Plan\r\n\r\nReady')
  expect([status, data.labelIds]).toEqual([200, ['SENT']])
  expect(undeclared(data, 'Schema$Message')).toEqual([])
})

test('the connector sends the same path, method and members as the client', async () => {
  requests.length = 0
  await send('To: ana@example.com\r\n\r\nReady')
  await gmail.mail!.send(session, mail)
  const [theirs, ours] = requests
  expect([ours!.method, ours!.path]).toEqual([theirs!.method, theirs!.path])
  const body = JSON.parse(Buffer.from(ours!.body).toString()) as { raw: string }
  expect(undeclared(body, 'Schema$Message')).toEqual([])
  expect(Object.keys(body)).toEqual(Object.keys(JSON.parse(Buffer.from(theirs!.body).toString())))
  const read = await PostalMime.parse(Buffer.from(body.raw, 'base64url'))
  expect([read.subject, read.to?.[0]?.address]).toEqual(['Plan', 'ana@example.com'])
})

test('members that the types know are accepted, others refused', async () => {
  const raw = Buffer.from('To: ana@example.com\r\n\r\nReady').toString('base64url')
  const message = { raw, threadId: 't', labelIds: ['SENT'], snippet: 's', historyId: '1', sizeEstimate: 3 }
  expect(undeclared(message, 'Schema$Message')).toEqual([])
  const sending = (requestBody: object) => client.users.messages.send({ userId: 'me', requestBody }, as())
  expect((await sending(message)).status).toBe(200)
  expect(undeclared({ colour: 'red' }, 'Schema$Message')).toEqual(['Schema$Message.colour'])
  await expect(sending({ raw, colour: 'red' })).rejects.toMatchObject({ response: { status: 400 } })
})

test('the client parses each error in Google’s format', async () => {
  await expect(send('Subject: no one\r\n\r\n')).rejects.toMatchObject({ code: 400 })
  await sandbox.act('refuse', { with: 'domain_policy' })
  await expect(send('To: ana@example.com\r\n\r\n')).rejects.toMatchObject({
    code: 403,
    response: { data: { error: { errors: [{ reason: 'domainPolicy' }] } } },
  })
  await sandbox.act('reset', {})
  const unknown = { headers: { authorization: 'Bearer unknown' } }
  await expect(client.users.messages.send({ userId: 'me', requestBody: {} }, unknown)).rejects.toMatchObject({
    code: 401,
  })
})

test('the permission to send gives no access to mail', async () => {
  await expect(client.users.messages.list({ userId: 'me' }, as())).rejects.toMatchObject({ code: 403 })
  await expect(client.users.getProfile({ userId: 'me' }, as())).rejects.toMatchObject({ code: 403 })
})
