/** Microsoft's official client and its types against the sandbox, and the connector's mail against both. */
import { createMicrosoftMailSandbox } from '@whence/sandbox/microsoft-mail/sandbox.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectInSandbox } from '../../../test/connect-in-sandbox.ts'
import { graphClient } from '../../../test/graph-client.ts'
import { publishedTypes } from '../../../test/published-types.ts'
import { recorded, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { microsoftMail } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const app = sandboxApp('microsoft_mail')
const { sandbox, requests } = recorded(createMicrosoftMailSandbox(sandboxOptions(() => now).options))
const http = sandboxOutbound(sandbox)
const client = graphClient(sandbox, () => session.token.accessToken)
let session: Session
beforeAll(async () => {
  const { token } = await connectInSandbox(microsoftMail, http, app, { now })
  const [account] = await microsoftMail.listAccounts(http, app, token)
  session = {
    http,
    app,
    token: { ...token, extra: { ...token.extra, ...account!.tokenExtra } },
    accountId: account!.id,
  }
})
beforeEach(() => sandbox.act('reset', {}))

const sendMime = (mime: string) =>
  client
    .api('/me/sendMail')
    .header('content-type', 'text/plain')
    .post(Buffer.from(Buffer.from(mime).toString('base64')))
const sent = async () => ((await sandbox.act('sent_mail', {})) as { sent: { to: string[] }[] }).sent

test('the account matches the published type', async () => {
  const undeclared = publishedTypes('@microsoft/microsoft-graph-types', 'microsoft-graph.d.ts')
  const me = (await client.api('/me').get()) as Record<string, unknown>
  expect(undeclared(me, 'User')).toEqual([])
  expect(me.id).toBe(session.accountId)
})

test('the official client sends a MIME message with the same request as the connector', async () => {
  await sendMime('To: ana@example.com\r\nSubject: Plan\r\n\r\nReady')
  requests.length = 0
  await sendMime('To: ana@example.com\r\nSubject: Plan\r\n\r\nReady')
  await microsoftMail.mail!.send(session, {
    to: ['bo@example.com'],
    subject: 'Plan',
    text: 'Ready',
    html: undefined,
    replyTo: undefined,
    messageId: 'm-1',
  })
  const lines = requests.map(({ method, path, headers }) => [method, path, headers['content-type']])
  expect(lines[1]).toEqual(lines[0])
  expect((await sent()).slice(-2).map(({ to }) => to)).toEqual([['ana@example.com'], ['bo@example.com']])
})

test('a JSON message may have the members of the published type, others are refused', async () => {
  const message = {
    subject: 'Plan',
    body: { contentType: 'text', content: 'Ready' },
    toRecipients: [{ emailAddress: { address: 'cy@example.com' } }],
  }
  await client.api('/me/sendMail').post({ message, saveToSentItems: true })
  expect((await sent()).at(-1)!.to).toEqual(['cy@example.com'])
  const odd = client.api('/me/sendMail').post({ message: { ...message, colour: 'red' } })
  await expect(odd).rejects.toMatchObject({ statusCode: 400 })
  const withoutRecipients = client.api('/me/sendMail').post({ message: { ...message, toRecipients: [] } })
  await expect(withoutRecipients).rejects.toMatchObject({ statusCode: 400, code: 'ErrorInvalidRecipients' })
})

test('the client parses each error in Graph’s format', async () => {
  await expect(sendMime('Subject: no one\r\n\r\n')).rejects.toMatchObject({ code: 'ErrorInvalidRecipients' })
  await sandbox.act('refuse', { with: 'mailbox_disabled' })
  await expect(sendMime('To: ana@example.com\r\n\r\n')).rejects.toMatchObject({
    statusCode: 404,
    code: 'MailboxNotEnabledForRESTAPI',
  })
})
