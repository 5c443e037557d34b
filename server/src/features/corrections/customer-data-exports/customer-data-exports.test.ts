import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeApp, makeKey, makeOwnProfile, makePerson, provision, refusalOf } from '../../../../test/make.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { makeTracedPerson, type TracedPerson } from '../../../../test/traced-person.ts'
import { unzipAll } from '../../../../test/unzip.ts'
import { jobs } from '../../../app.ts'
import { listChanges, listPersonAccess } from '../../../platform/audit/contract.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { columnTypes } from '../../../platform/db/schema.ts'
import { updateComplianceOverview } from '../../account/workspaces/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eraseWorkspaceCustomer } from '../erasures/contract.ts'
import { personTables } from '../person-data/list.ts'
import { runExport } from './build.ts'
import * as contract from './contract.ts'
import { checkCode, dueOn, type Law } from './rules.ts'

let app: TestApp
let profile: Awaited<ReturnType<typeof makeOwnProfile>>
let ana: TracedPerson
let bea: TracedPerson
const requested_on = '2026-05-04'
const owners = { method: 'account' } as const

beforeAll(async () => {
  app = await startTestApp()
  profile = await makeOwnProfile(app)
  const key = await makeKey(app, profile.profileId, ['events:write', 'payments:write', 'tracking:write'])
  ana = await makeTracedPerson(app, { profileId: profile.profileId, key, number: 71 })
  bea = await makeTracedPerson(app, { profileId: profile.profileId, key, number: 82 })
})
afterAll(() => app.close())

const moved = async (ms: number, work: () => Promise<void>) => {
  const { clock, db } = app.service
  await clock.set(db, ms)
  await work().finally(() => clock.set(db, 0))
}
const drain = () => drainJobs(app.service, jobs)
const params = () => ({ workspaceId: profile.workspaceId })
const one = (data_export_id: string) => ({ params: { ...params(), data_export_id } })
const request = async (
  email: string,
  {
    identity_check = owners,
    law = 'gdpr',
  }: { identity_check?: { method: 'account' | 'mail_code' }; law?: Law } = {},
) => {
  const body = { profile_id: profile.profileId, email, law, requested_on, identity_check } as const
  return profile.owner.call(contract.requestWorkspaceCustomerDataExport, { params: params(), body })
}
const get = async (id: string) =>
  (await profile.owner.call(contract.getWorkspaceCustomerDataExport, one(id))).data
const cancel = (id: string) => profile.owner.call(contract.deleteWorkspaceCustomerDataExport, one(id))
const fetchFile = (id: string, token = profile.owner.token) =>
  fetch(`${app.baseUrl}/api/v1/workspaces/${profile.workspaceId}/customer-data-exports/${id}/file`, {
    headers: { authorization: `Bearer ${token}` },
  })
const fileOf = async (id: string) => Buffer.from(await (await fetchFile(id)).arrayBuffer())
const partsOf = async (id: string) =>
  (await app.pool.query('select 1 from customer_data_export_parts where export_id = $1', [id])).rowCount

it('the file of one person has every value of theirs and none of another person', async () => {
  const { data } = await request(ana.email)
  expect(data).toMatchObject({ status: 'pending', due_on: '2026-06-04', sha256: null })
  await drain()
  const receipt = await get(data.data_export_id)
  expect(receipt).toMatchObject({ status: 'ready', downloads: 0 })
  const response = await fetchFile(data.data_export_id)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const archive = Buffer.from(await response.arrayBuffer())
  expect(createHash('sha256').update(archive).digest('hex')).toBe(receipt.sha256)
  expect(archive.length).toBe(receipt.bytes)
  const files = unzipAll(archive)
  const all = [...files.values()].join('\n').toLowerCase()
  const planted = [
    ...ana.words,
    ...ana.identifiers,
    ana.email,
    ana.phone,
    ana.visitor,
    ana.subject,
    ana.orderKey,
    ana.externalId,
    ...['note', 'because', 'landing', 'click', 'session', 'lead-answer', 'first ', 'contact'].map((kind) =>
      kind.endsWith(' ') ? `${kind}${ana.words[0]}` : `${kind}-${ana.words[0]}`,
    ),
  ]
  for (const value of planted) expect(all.includes(value.toLowerCase()), value).toBe(true)
  for (const value of [...bea.words, ...bea.identifiers, 'bob@example.com'])
    expect(all.includes(value.toLowerCase()), value).toBe(false)
  // Bob's payment that was assigned to her is hers.
  const payments = files.get('payments.ndjson')!.toString().trim().split('\n')
  const values = payments.map((line) => (JSON.parse(line) as { value: number }).value)
  expect(values.toSorted((a, b) => a - b)).toEqual([7, 20, 100])
  const credit = files.get('credit.ndjson')!.toString()
  expect(credit).toContain('"share":"1/1"')
  expect(files.get('README.txt')!.toString()).toContain('Sus datos en')
  const manifest = JSON.parse(files.get('manifest.json')!.toString()) as {
    files: { name: string; sha256: string; records: number; section: string }[]
  }
  for (const { name, sha256, records } of manifest.files) {
    const content = files.get(name)!
    expect(createHash('sha256').update(content).digest('hex'), name).toBe(sha256)
    if (name.endsWith('.ndjson')) expect(content.toString().split('\n').length - 1, name).toBe(records)
  }
  expect(receipt.sections).toEqual(
    manifest.files
      .filter(({ section }) => section !== 'person')
      .map(({ section, records }) => ({ name: section, records })),
  )
})

it('the payer of a payment has it in the file, not the person who was named first', async () => {
  const { data } = await request('bob@example.com')
  await drain()
  const files = unzipAll(await fileOf(data.data_export_id))
  const payments = files.get('payments.ndjson')!.toString().trim().split('\n')
  expect(payments.map((line) => (JSON.parse(line) as { value: number }).value)).toEqual([50, 50])
  await cancel(data.data_export_id)
})

it('each record has exactly the fields that the list names, with the type of their column', async () => {
  const { data } = await request(ana.email)
  const files = unzipAll(await fileOf(data.data_export_id))
  const types = columnTypes as Record<string, Record<string, string>>
  const kinds: Record<string, string> = { int2: 'number', int4: 'number', int8: 'number', bool: 'boolean' }
  const seen = new Set<string>()
  for (const { table, export: shown } of personTables) {
    if ('none' in shown || table === 'credits') continue
    const expected = new Map(
      Object.entries(shown.columns).map(([column, as]) => {
        const type = types[table]![column]!.split(' ')[0]!
        return [typeof as === 'string' ? as : as.name, type === 'jsonb' ? null : (kinds[type] ?? 'string')]
      }),
    )
    const names = [...expected.keys(), ...Object.keys(shown.computed ?? {})]
    for (const line of files.get(`${shown.section}.ndjson`)!.toString().split('\n').filter(Boolean)) {
      const record = JSON.parse(line) as Record<string, unknown>
      expect(Object.keys(record).toSorted(), shown.section).toEqual(names.toSorted())
      for (const [name, value] of Object.entries(record))
        if (value !== null && expected.get(name) != null)
          expect(typeof value, `${shown.section}.${name}`).toBe(expected.get(name))
      seen.add(shown.section)
    }
  }
  for (const section of [
    'identifiers',
    'traits',
    'links',
    'merges',
    'events',
    'visits',
    'refunds',
    'lead_answers',
  ])
    expect([...seen]).toContain(section)
})

it('a repeated request returns the receipt; requests, downloads and owners’ mails are recorded', async () => {
  const first = await request(ana.email)
  const id = first.data.data_export_id
  expect((await request(ana.email)).data.data_export_id).toBe(id)
  expect((await get(id)).downloads).toBe(2)
  const { data: changes } = await profile.owner.call(listChanges, {
    params: params(),
    query: { profile_id: profile.profileId },
  })
  const own = changes.filter(({ subject }) => subject === id)
  expect(own.map(({ action, detail }) => [action, detail])).toEqual([
    ['customer.data_exported', { method: 'account', law: 'gdpr' }],
    ['customer.data_export_requested', { method: 'account', law: 'gdpr' }],
  ])
  const { data: views } = await profile.owner.call(listPersonAccess, { params: params() })
  const { rows } = await app.pool.query<{ customer_id: string }>(
    'select customer_id from customer_data_exports where id = $1',
    [id],
  )
  const ofAna = views.filter(({ customer_ids }) => customer_ids.includes(rows[0]!.customer_id))
  expect(ofAna.filter(({ route }) => route === 'downloadWorkspaceCustomerDataExport')).toHaveLength(2)
  const mails = await mailsTo(app, profile.owner.email)
  const mail = mails.filter(({ text }) => text.includes(id))
  expect(mail).toHaveLength(1)
  expect(mail[0]!.text).not.toContain(ana.words[0])
})

it('an erasure ends exports and deletes their files; the person is unknown afterwards', async () => {
  const ready = (await request(bea.email)).data.data_export_id
  await drain()
  const open = (await request(bea.email, { law: 'lgpd' })).data.data_export_id
  expect(await partsOf(ready)).toBeGreaterThan(0)
  await profile.owner.call(eraseWorkspaceCustomer, {
    params: params(),
    body: { profile_id: profile.profileId, email: bea.email },
  })
  await drain()
  expect(await partsOf(ready)).toBe(0)
  expect((await get(ready)).status).toBe('cancelled')
  expect((await get(open)).status).toBe('cancelled')
  expect((await fetchFile(ready)).status).toBe(404)
  expect(await refusalOf(request(bea.email))).toMatchObject({ status: 404, code: 'customer_not_found' })
})

it('a build that stops in the middle leaves no file, and the next run a complete one', async () => {
  const { data } = await request(ana.email, { law: 'ccpa' })
  const id = data.data_export_id
  const signal = new AbortController().signal
  signal.throwIfAborted = () => {
    throw new Error('stopped')
  }
  const context = jobContext(app.service)
  const ref = { profileId: profile.profileId, id }
  await expect(runExport({ ...context, signal }, ref)).rejects.toThrow('stopped')
  expect(await partsOf(id)).toBe(0)
  expect((await get(id)).status).toBe('pending')
  await runExport(context, ref)
  const receipt = await get(id)
  expect(
    createHash('sha256')
      .update(await fileOf(id))
      .digest('hex'),
  ).toBe(receipt.sha256)
  await cancel(id)
  expect(await partsOf(id)).toBe(0)
  expect((await fetchFile(id)).status).toBe(404)
})

const answer = (id: string, code?: string) =>
  profile.owner.call(contract.confirmWorkspaceCustomerDataExport, {
    ...one(id),
    body: { method: 'mail_code', ...(code === undefined ? {} : { code }) },
  })
const mailedCode = async () => {
  await drain()
  return /\b(\d{6})\b/.exec((await mailsTo(app, ana.email)).at(-1)!.text)![1]!
}

it('a code goes to the stored address, counts tries, and expires', async () => {
  const { data } = await request(ana.email, { identity_check: { method: 'mail_code' } })
  expect(data.status).toBe('awaiting_identity')
  const id = data.data_export_id
  const code = await mailedCode()
  expect((await get(id)).status).toBe('awaiting_identity')
  const wrong = code === '000000' ? '111111' : '000000'
  for (let tries = 0; tries < 5; tries++)
    expect(await refusalOf(answer(id, wrong))).toMatchObject({ code: 'validation_error', field: 'code' })
  expect(await refusalOf(answer(id, code))).toMatchObject({ status: 409, code: 'invalid_state' })
  await answer(id)
  const second = await mailedCode()
  await moved(11 * 60_000, async () => {
    expect(await refusalOf(answer(id, second))).toMatchObject({ status: 409, code: 'invalid_state' })
  })
  await answer(id)
  expect((await answer(id, await mailedCode())).data.status).toBe('pending')
  await drain()
  expect((await get(id)).status).toBe('ready')
  expect(
    unzipAll(await fileOf(id))
      .get('README.txt')!
      .toString(),
  ).toContain('identified by a code')
  await cancel(id)
  const expired = checkCode(
    { code_hash: null, code_expires_at: null, code_tries: 0 },
    Buffer.alloc(32),
    new Date(),
  )
  expect(expired).toBe('expired')
})

it('files and unanswered requests expire', async () => {
  const file = (await request(ana.email, { law: 'chile' })).data.data_export_id
  const open = (await request(ana.email, { identity_check: { method: 'mail_code' } })).data.data_export_id
  await drain()
  await moved(8 * 86_400_000, async () => {
    expect((await fetchFile(file)).status).toBe(404)
    const expire = jobs.find(({ name }) => name === 'customer_data.expire')!
    await expire.run(jobContext(app.service), {})
  })
  expect((await get(file)).status).toBe('expired')
  expect(await partsOf(file)).toBe(0)
  expect((await get(open)).status).toBe('cancelled')
})

it('due days follow the law', () => {
  const days: [Law, string, string][] = [
    ['gdpr', '2026-01-31', '2026-02-28'],
    ['gdpr', '2028-01-31', '2028-02-29'],
    ['gdpr', '2026-12-15', '2027-01-15'],
    ['lgpd', '2026-05-04', '2026-05-19'],
    ['chile', '2026-05-04', '2026-06-03'],
    ['ccpa', '2026-05-04', '2026-06-18'],
    ['other', '2026-05-04', '2026-06-03'],
  ]
  for (const [law, from, to] of days) expect(dueOn(law, from)).toBe(to)
})

it('the list has open requests by due day first, and filters', async () => {
  const due = await request(ana.email, { law: 'lgpd', identity_check: { method: 'mail_code' } })
  const list = async (query: { status?: 'cancelled'; due?: 'overdue'; limit?: number; cursor?: string }) =>
    profile.owner.call(contract.listWorkspaceCustomerDataExports, { params: params(), query })
  const { data } = await list({})
  expect(data[0]).toMatchObject({ data_export_id: due.data.data_export_id, is_overdue: true })
  expect((await list({ status: 'cancelled' })).data.every(({ status }) => status === 'cancelled')).toBe(true)
  expect((await list({ due: 'overdue' })).data.every((row) => row.is_overdue)).toBe(true)
  const paged: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    paged.push(...page.data.map((row) => row.data_export_id))
    const { cursor: next } = page.pagination as { cursor: string | null }
    if (next === null) break
    cursor = next
  }
  expect(paged).toEqual(data.map((row) => row.data_export_id))
  expect(await refusalOf(list({ cursor: 'x' }))).toMatchObject({ status: 400, field: 'cursor' })
  await cancel(due.data.data_export_id)
})

it('requests are limited, and refused for unknown people, future days and callers without permission', async () => {
  const body = { profile_id: profile.profileId, law: 'gdpr', requested_on, identity_check: owners } as const
  const ask = (fields: object, call: Client = profile.owner.call) =>
    refusalOf(
      call(contract.requestWorkspaceCustomerDataExport, {
        params: params(),
        body: { ...body, email: ana.email, ...fields },
      }),
    )
  expect((await ask({ email: 'no-one@example.com' })).code).toBe('customer_not_found')
  expect(await ask({ requested_on: '2999-01-01' })).toMatchObject({ status: 422, field: 'requested_on' })
  const stranger = await makePerson(app)
  expect((await ask({}, stranger.call)).code).toBe('not_found')
  const other = await makeOwnProfile(app)
  const foreign = { ...params(), data_export_id: (await request(ana.email)).data.data_export_id }
  expect(
    (
      await refusalOf(
        other.owner.call(contract.getWorkspaceCustomerDataExport, {
          params: { ...foreign, workspaceId: other.workspaceId },
        }),
      )
    ).code,
  ).toBe('not_found')
  const key = await makeKey(app, profile.profileId, ['events:write'])
  await app.as(key)(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: 'without-mail',
      timestamp: '2026-05-05T10:00:00Z',
      properties: { value: 20, currency: 'EUR' },
      user_traits: { external_id: 'nomail' },
    },
  })
  const { email: _, ...noEmail } = { ...body, email: undefined }
  const unmailed = await refusalOf(
    profile.owner.call(contract.requestWorkspaceCustomerDataExport, {
      params: params(),
      body: { ...noEmail, external_id: 'nomail', identity_check: { method: 'mail_code' } },
    }),
  )
  expect(unmailed).toMatchObject({ status: 422, field: 'identity_check' })
  await app.pool.query(
    `insert into customer_data_exports (profile_id, id, selector_hash, status, law, requested_on, due_on, created_by_kind,
       created_at, expires_at)
     select $1, gen_random_uuid(), '\\x00', 'pending', 'gdpr', '2026-05-04', '2026-06-04', 'user', now(), now()
     from generate_series(1, 20)`,
    [profile.profileId],
  )
  expect(await ask({ law: 'other' })).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
  await app.pool.query(`delete from customer_data_exports where selector_hash = '\\x00'`)
})

it('a partner app exports with its key, and not on healthcare profiles', async () => {
  const partner = await makeApp(app, profile.workspaceId, ['attribution', 'analytics_pii'])
  const { apiKey } = await provision(app, profile.profileId, partner, ['attribution', 'analytics_pii'])
  const call = app.as(apiKey)
  const body = { email: ana.email, law: 'gdpr', requested_on: '2026-05-06', identity_check: owners } as const
  const { data } = await call(contract.requestCustomerDataExport, { body })
  await drain()
  const ref = { params: { data_export_id: data.data_export_id } }
  expect((await call(contract.getCustomerDataExport, ref)).data.status).toBe('ready')
  const path = `/api/v1/customers/data-exports/${data.data_export_id}/file`
  const download = () => fetch(`${app.baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  const response = await download()
  const archive = Buffer.from(await response.arrayBuffer())
  expect(unzipAll(archive).get('person.json')!.toString()).toContain(ana.email.toUpperCase())
  const { data: views } = await profile.owner.call(listPersonAccess, { params: params() })
  expect(views[0]).toMatchObject({ route: 'downloadCustomerDataExport' })
  const ownKey = app.as(await makeKey(app, profile.profileId, ['customers:read', 'identity:read']))
  expect((await refusalOf(ownKey(contract.requestCustomerDataExport, { body }))).code).toBe(
    'api_key_required',
  )
  const second = await call(contract.requestCustomerDataExport, { body: { ...body, law: 'ccpa' } })
  const { data_export_id } = second.data
  await call(contract.deleteCustomerDataExport, { params: { data_export_id } })
  expect((await get(data_export_id)).status).toBe('cancelled')
  await profile.owner.call(updateComplianceOverview, { params: params(), body: { healthcare: true } })
  expect((await refusalOf(call(contract.requestCustomerDataExport, { body }))).code).toBe(
    'healthcare_scope_forbidden',
  )
  expect((await download()).status).toBe(403)
  // The owner may still answer the person.
  expect((await fetchFile(data.data_export_id)).status).toBe(200)
})
