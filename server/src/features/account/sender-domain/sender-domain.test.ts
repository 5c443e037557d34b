import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { makePerson, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { putBranding } from '../branding/contract.ts'
import { getSenderDomain, registerSenderDomain, removeSenderDomain, verifySenderDomain } from './contract.ts'
import { senderDomainJobs } from './jobs.ts'
import { loadMailSender } from './operations.ts'

let app: TestApp
let owner: Person
let params: { workspaceId: string }
/** The fake DNS zone; null fails every lookup. */
let zone: Map<string, string[]> | null
beforeAll(async () => {
  app = await startTestApp()
  const look = async (name: string) => {
    if (zone === null) throw new Error('SERVFAIL')
    return zone.get(name) ?? []
  }
  app.service.dns = { cnames: look, texts: look }
  owner = await makePerson(app, 'Owner')
})
afterAll(() => app.close())
beforeEach(async () => {
  zone = new Map()
  params = { workspaceId: await makeWorkspace(owner) }
})

const register = (body = {}) =>
  owner.call(registerSenderDomain, { params, body: { domain: 'Agency.example', ...body } })
type Records = Awaited<ReturnType<typeof register>>['data']['records']
const publish = (records: Records) => {
  zone = new Map(records.map((record) => [record.name, [record.value]]))
}
const verify = async () => (await owner.call(verifySenderDomain, { params, body: {} })).data

/** Raw bytes of the newest mail in the outbox. */
async function lastMail(): Promise<Buffer> {
  const folder = join(app.service.config.DATA_DIR, 'outbox')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  return readFile(join(folder, files.at(-1)!))
}
async function send(): Promise<Buffer> {
  const sender = await loadMailSender(app.service, params.workspaceId)
  const messageId = uuidv7()
  await app.service.mailer.send({
    to: 'client@example.com',
    subject: 'Report',
    text: 'Hello',
    sender,
    messageId,
  })
  return lastMail()
}
const dkimResult = async (mail: Buffer) => {
  const resolver = async (name: string) => {
    const values = zone?.get(name)
    if (values === undefined) throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
    return values.map((value) => [value])
  }
  const { results } = await dkimVerify(mail, { resolver })
  return results.map(({ status, signingDomain }) => [status.result, signingDomain])
}

it('is verified by its required records, and signs mail so that a mail library accepts it', async () => {
  await owner.call(putBranding, { params, body: { display_name: 'Acme Agency' } })
  expect((await owner.call(getSenderDomain, { params })).data).toBeNull()
  const { data } = await register()
  expect(data).toMatchObject({
    domain: 'agency.example',
    status: 'pending',
    from: 'Acme Agency <reports@agency.example>',
  })
  expect(data.records.map(({ purpose, required }) => [purpose, required])).toEqual([
    ['dkim', true],
    ['dmarc', false],
  ])
  expect(await verify()).toMatchObject({ status: 'pending', records: [{ status: 'missing' }, {}] })
  const unsigned = await send()
  expect(unsigned.toString()).toMatch(/^From: Acme Agency <no-reply@localhost>/m)
  expect(unsigned.toString()).not.toMatch(/^DKIM-Signature/m)

  publish(data.records)
  expect(await verify()).toMatchObject({
    status: 'verified',
    records: [{ status: 'found' }, { status: 'found' }],
  })
  const mail = await send()
  expect(mail.toString()).toMatch(/^From: Acme Agency <reports@agency.example>/m)
  expect(await dkimResult(mail)).toEqual([['pass', 'agency.example']])
  const changed = Buffer.from(mail.toString().replace('Hello', 'Hallo'))
  // The library's message for a changed body.
  expect(await dkimResult(changed)).toEqual([['neutral', 'agency.example']])
})

it('stays verified after a failed lookup, and fails when the record is missing', async () => {
  const { data } = await register()
  publish(data.records)
  await verify()
  zone = null
  expect(await verify()).toMatchObject({ status: 'verified', records: [{ status: 'unknown' }, {}] })
  zone = new Map()
  expect(await verify()).toMatchObject({ status: 'failed' })
  expect((await loadMailSender(app.service, params.workspaceId)).domain).toBeNull()
})

it('is rechecked by the service: hourly while pending, daily when verified', async () => {
  const { data } = await register()
  const age = (column: string, interval: string) =>
    app.pool.query(
      `update sender_domains set ${column} = now() - interval '${interval}' where workspace_id = $1`,
      [params.workspaceId],
    )
  const check = async () => {
    await runSchedule(app.service, senderDomainJobs, 'sender_domains.check')
    return (await owner.call(getSenderDomain, { params })).data!
  }
  publish(data.records)
  expect((await check()).checked_at).toBeNull()
  await age('created_at', '1 hour')
  expect((await check()).status).toBe('verified')
  zone = new Map()
  expect((await check()).status).toBe('verified')
  await age('checked_at', '1 day')
  expect((await check()).status).toBe('failed')
})

it('keeps its key when registered again, is never replaced by another domain, and loses its key when removed', async () => {
  const first = (await register()).data.records[0]!
  const repeated = (await register({ from_local: 'hello', from_name: 'Ann' })).data
  expect(repeated).toMatchObject({
    from: 'Ann <hello@agency.example>',
    records: [{ value: first.value }, {}],
  })
  expect(await refusalOf(register({ domain: 'other.example' }))).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'sender_domain_exists',
  })
  expect((await owner.call(getSenderDomain, { params })).data).toEqual(repeated)
  await owner.call(removeSenderDomain, { params })
  const other = (await register({ domain: 'other.example' })).data.records[0]!
  expect(other.value).not.toBe(first.value)
  await owner.call(removeSenderDomain, { params })
  expect((await owner.call(getSenderDomain, { params })).data).toBeNull()
  expect(await refusalOf(owner.call(removeSenderDomain, { params }))).toMatchObject({ status: 404 })
  expect(await refusalOf(owner.call(verifySenderDomain, { params, body: {} }))).toMatchObject({ status: 404 })
})

it('two workspaces with the same domain each verify their own key', async () => {
  const ownDomain = (await register()).data
  publish(ownDomain.records)
  await verify()
  params = { workspaceId: await makeWorkspace(owner) }
  const otherDomain = (await register()).data
  expect(otherDomain.records[0]!.name).not.toBe(ownDomain.records[0]!.name)
  expect(await verify()).toMatchObject({ status: 'pending' })
})

it.each([
  'localhost',
  'a b.example',
  'http://agency.example',
  'agency.example.',
  '',
  'gmail.com',
  'Outlook.com',
  'mail.yahoo.co.uk',
])('refuses the domain %j', async (domain) => {
  expect(await refusalOf(register({ domain }))).toMatchObject({ status: 422, code: 'validation_error' })
})

it('is refused for a workspace that an app provisioned, and on the starter plan if plans are billed', async () => {
  await app.pool.query("update workspaces set acquisition_source = 'oauth' where id = $1", [
    params.workspaceId,
  ])
  expect(await refusalOf(register())).toMatchObject({ status: 403, code: 'app_provisioned_workspace' })
  const billing = {
    secret_key: 'sk',
    api_base_url: 'http://127.0.0.1:9',
    prices: { growth: 'p1', agency: 'p2' },
  }
  const billed = await startTestApp({ BILLING: JSON.stringify(billing) })
  try {
    const person = await makePerson(billed)
    const workspaceId = await makeWorkspace(person, 'starter')
    const request = person.call(registerSenderDomain, {
      params: { workspaceId },
      body: { domain: 'agency.example' },
    })
    expect(await refusalOf(request)).toMatchObject({ status: 402, code: 'plan_upgrade_required' })
    expect((await person.call(getSenderDomain, { params: { workspaceId } })).data).toBeNull()
  } finally {
    await billed.close()
  }
})
