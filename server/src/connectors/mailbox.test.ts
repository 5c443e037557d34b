/** Both mail vendors against their sandboxes over HTTP; an independent parser reads the sent mail. */
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mailboxCases } from '../../test/connector-cases.ts'
import {
  connect,
  consent,
  exchange,
  openSession,
  type RunningSandbox,
  startSandbox,
} from '../../test/sandbox-server.ts'
import { ProviderError, type Session } from './connector.ts'
import { isRestricted } from './gmail/refusals.ts'
import { connectorOf, mailboxVendors, type OutgoingMail, storedProvider } from './mailbox.ts'

const mail: OutgoingMail = {
  to: ['ana@example.com', 'luis@example.com'],
  subject: 'Su plan está listo — 100 % ✓',
  text: 'Hola Ana,\n\nel plan está listo.\n.\nFin',
  html: '<p>El plan está <b>listo</b>.</p>',
  replyTo: 'front@example.com',
  messageId: '0190c1f2-0000-7000-8000-000000000001',
  attachments: [{ filename: 'plan ñ.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
}

async function refusalOf(promise: Promise<unknown>): Promise<ProviderError> {
  const outcome = await promise.then(
    (value) => value,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(ProviderError)
  return outcome as ProviderError
}

test('a connection of a vendor is stored as a mailbox and resolves to its connector', () => {
  for (const vendor of mailboxVendors) {
    const { provider, subtype } = storedProvider(vendor)
    expect(provider).toBe('mailbox')
    expect(connectorOf({ provider, provider_subtype: subtype! })).toBe(vendor)
  }
  expect(storedProvider('cardpay')).toEqual({ provider: 'cardpay' })
  expect(connectorOf({ provider: 'storefront', provider_subtype: 'manual' })).toBe('storefront')
})

describe.each(mailboxCases.map((spec) => [spec.connector.provider, spec] as const))('%s', (vendor, spec) => {
  const { connector } = spec
  let at: RunningSandbox
  beforeEach(async () => {
    at = await startSandbox(spec)
  })
  afterEach(() => at.close())

  const open = async (): Promise<Session> => {
    const token = await connect(spec, at)
    const [account] = await connector.listAccounts(at.http, at.app, token)
    const extra = { ...token.extra, ...account!.tokenExtra }
    return { http: at.http, app: at.app, token: { ...token, extra }, accountId: account!.id }
  }
  const sent = async () => ((await at.sandbox.act('sent_mail', {})) as { sent: { raw: string }[] }).sent

  test.each([
    ['decline', 'cancelled'],
    ['deny-app', 'denied'],
    ['provider-error', 'error'],
    ['no-code', 'error'],
  ] as const)('%s on the consent page is understood as %s', async (choice, meaning) => {
    expect((await consent(spec, at, choice)).meaning.type).toBe(meaning)
  })

  test('a code works only once and only with its verifier', async () => {
    const answered = await consent(spec, at, 'approve-one')
    await refusalOf(exchange(spec, at, { ...answered, codeVerifier: 'another'.repeat(7) }))
    const again = await consent(spec, at, 'approve-one')
    await exchange(spec, at, again)
    await refusalOf(exchange(spec, at, again))
    expect((await refusalOf(connect(spec, at, 'bad-code'))).reason).toBe('invalid_grant')
  })

  test('the account is named after its email address', async () => {
    const [account] = await connector.listAccounts(at.http, at.app, await connect(spec, at))
    expect(account).toMatchObject({
      kind: 'account',
      name: expect.stringMatching(/@harborandpine\.example$/),
    })
    expect(account!.tokenExtra).toMatchObject({ address: account!.name })
  })

  test('a renewed token keeps the address; a revoked one needs a new consent', async () => {
    const session = await open()
    const renewed = await connector.oauth.refresh!(at.http, at.app, session.token, at.clock.now)
    expect(renewed.accessToken).not.toBe(session.token.accessToken)
    expect(renewed.extra).toEqual(session.token.extra)
    await at.sandbox.act('revoke', {})
    const refusal = await refusalOf(connector.oauth.refresh!(at.http, at.app, renewed, at.clock.now))
    expect(refusal.reason).toBe('invalid_grant')
    const onSend = await refusalOf(connector.mail!.send({ ...session, token: renewed }, mail))
    expect(connector.mail!.refusalOf(onSend)).toBe('auth_revoked')
    await connector.oauth.revoke(at.http, at.app, renewed)
  })

  test('an independent parser reads the mail correctly', async () => {
    const session = await open()
    await connector.mail!.send(session, mail)
    const [received] = await sent()
    const bytes = Buffer.from(received!.raw, 'base64')
    const read = await PostalMime.parse(bytes)
    expect(read.from?.address).toBe(session.token.extra.address)
    expect(read.to?.map((address) => ('address' in address ? address.address : null))).toEqual(mail.to)
    expect(read.replyTo?.[0]).toMatchObject({ address: mail.replyTo })
    expect(read.subject).toBe(mail.subject)
    expect(read.text?.trim()).toBe(mail.text)
    expect(read.html?.trim()).toBe(mail.html)
    expect(read.messageId).toBe(`<${mail.messageId}@harborandpine.example>`)
    expect(read.attachments).toMatchObject([{ filename: 'plan ñ.pdf', mimeType: 'application/pdf' }])
    expect(Buffer.from(read.attachments[0]!.content as ArrayBuffer).toString()).toBe('%PDF-1.7')
    // Lines end as RFC 5322 requires, and no header was injected through the subject.
    expect(bytes.toString('latin1')).not.toMatch(/[^\r]\n/)
  })

  test('no header can be injected through a value', async () => {
    const session = await open()
    const trick = { ...mail, subject: 'Hi\r\nBcc: thief@example.net', replyTo: 'a@example.com' }
    await connector.mail!.send(session, trick)
    const read = await PostalMime.parse(Buffer.from((await sent())[0]!.raw, 'base64'))
    expect(read.bcc).toBeUndefined()
    expect(read.headers.map(({ key }) => key)).not.toContain('bcc')
  })

  test('a mail that is too large is not sent', async () => {
    const session = await open()
    const file = {
      filename: 'a.bin',
      contentType: 'application/octet-stream',
      content: Buffer.alloc(4_000_000),
    }
    const refusal = await refusalOf(connector.mail!.send(session, { ...mail, attachments: [file] }))
    expect(refusal).toMatchObject({ reason: 'rejected', providerCode: 'message_too_large' })
    expect(await sent()).toEqual([])
  })

  test('a mail is not retried after a lost response', async () => {
    const session = await open()
    const match = vendor === 'gmail' ? '/gmail/' : '/v1.0/me/sendMail'
    at.sandbox.fault({ kind: 'lost_reply', match, times: 1 })
    expect((await refusalOf(connector.mail!.send(session, mail))).reason).toBe('unavailable')
    expect(await sent()).toHaveLength(1)
  })

  test('a suspended account keeps its grant', async () => {
    const session = await open()
    await at.sandbox.act('suspend', {})
    const refusal = await refusalOf(connector.oauth.refresh!(at.http, at.app, session.token, at.clock.now))
    expect(refusal.reason).toBe('rejected')
    expect(connector.mail!.refusalOf(refusal)).toBe('account_suspended')
    await at.sandbox.act('reset', {})
    await connector.oauth.refresh!(at.http, at.app, session.token, at.clock.now)
  })

  test('an error message that repeats the mail is dropped', async () => {
    const session = await open()
    await at.sandbox.act('refuse', { with: 'other' })
    const usual = await refusalOf(connector.mail!.send(session, mail))
    expect(usual.providerMessage).not.toBeNull()
    const excerpt = usual.providerMessage!.slice(0, 20)
    expect(
      (await refusalOf(connector.mail!.send(session, { ...mail, subject: excerpt }))).providerMessage,
    ).toBe(null)
  })
})

test('a consent at Google without the send permission is refused', async () => {
  const spec = mailboxCases[0]!
  const at = await startSandbox(spec)
  try {
    await at.sandbox.act('untick_permission', {})
    expect((await refusalOf(openSession(spec, at))).reason).toBe('permission_missing')
  } finally {
    await at.close()
  }
})

test('only a restricted account is reported as suspended, not other token errors', () => {
  const refusal = (providerMessage: string) =>
    new ProviderError('rejected', 'x', { providerCode: 'access_denied', providerMessage })
  expect(isRestricted(refusal('Account restricted'))).toBe(true)
  expect(isRestricted(refusal('Requested client not authorized'))).toBe(false)
})
