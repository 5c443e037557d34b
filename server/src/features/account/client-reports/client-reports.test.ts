import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { parseCsv } from '../../../platform/csv.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { getOverview, listCampaigns } from '../../insights/reports/contract.ts'
import { putBranding } from '../branding/contract.ts'
import { approveReport, downloadReport, generateReports, getReportsHub, patchSchedules } from './contract.ts'
import { clientReportJobs } from './jobs.ts'

const days = { date_from: '2026-05-01', date_to: '2026-05-31' }
let app: TestApp
let owner: Person
let params: { workspaceId: string }
let profileId: string
let emptyProfileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  params = { workspaceId: await makeWorkspace(owner, 'agency') }
  profileId = await makeProfile(owner, params.workspaceId, { name: 'Hazel & Pine' })
  emptyProfileId = await makeProfile(owner, params.workspaceId, { name: 'Nothing yet' })
  const key = await makeKey(app, profileId, ['events:write', 'campaigns:read', 'conversions:read'])
  await makeAdWorld(app, profileId, app.as(key))
  await owner.call(putBranding, { params, body: { display_name: 'Acme Agency', primary_color: '#7a3cff' } })
})
afterAll(() => app.close())
beforeEach(() => app.pool.query('delete from jobs'))

const drain = () => drainJobs(app.service, clientReportJobs)
const hub = async () => (await owner.call(getReportsHub, { params })).data
const reportOf = async (id: string) => (await hub()).reports.find((report) => report.id === id)!
async function generate(body: Record<string, unknown> = {}) {
  const asked = { ...days, profile_ids: [profileId], ...body } as never
  const { data } = await owner.call(generateReports, { params, body: asked })
  return data.reports[0]!.report_id
}
async function download(id: string): Promise<{ type: string | null; bytes: Buffer }> {
  const url = `${app.baseUrl}/api/v1/workspaces/${params.workspaceId}/reports/${id}/download`
  const reply = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } })
  return { type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer()) }
}
async function ofApi() {
  const query = { ...days, profile_id: profileId } as never
  const overview = await owner.call(getOverview, { query })
  const campaigns = await owner.call(listCampaigns, {
    query: { ...days, profile_id: profileId, limit: 100 } as never,
  })
  return { overview: overview.data, meta: overview.meta, campaigns: campaigns.data }
}
/** Mails of this test file, parsed by a library that shares nothing with ours. */
async function inbox(address: string) {
  const folder = join(app.service.config.DATA_DIR, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  )
  return mails.filter((mail) => mail.to?.some((to) => to.address === address))
}
const address = () => `client-${uuidv7()}@example.com`

describe('the figures of a report', () => {
  it.each([
    ['en', /€[\d,]+\.\d\d|-€[\d,]+\.\d\d/g, (text: string) => text.replace(/[€,]/g, '')],
    ['es', /-?[\d.]+,\d\d €/g, (text: string) => text.replace(/[€.\s]/g, '').replace(',', '.')],
  ] as const)(
    'are those of the API to the minor unit, read from the PDF in %s',
    async (language, form, plain) => {
      const id = await generate({ format: 'pdf', language })
      await drain()
      const report = await reportOf(id)
      const api = await ofApi()
      expect(report).toMatchObject({ status: 'ready', result_hash: api.meta.result_hash })
      const { type, bytes } = await download(id)
      expect(type).toBe('application/pdf')
      const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
      const found = new Set([...text.matchAll(form)].map(([amount]) => toMinor(plain(amount), 'EUR')))
      const { totals } = api.overview
      const reconciliation = api.meta.reconciliation as Record<'total' | 'credited' | 'unattributed', number>
      const expected = [
        totals.revenue,
        totals.spend,
        totals.credited_revenue,
        reconciliation.total,
        reconciliation.credited,
        reconciliation.unattributed,
        ...api.campaigns.flatMap((row) => [row.spend, row.outcome_value]),
      ].map((value) => toMinor(value!, 'EUR'))
      expect(api.campaigns.length).toBeGreaterThan(1)
      for (const amount of expected) expect(found).toContain(amount)
      for (const { campaign_name } of api.campaigns) expect(text).toContain(campaign_name)
      expect(text).toContain('Acme Agency')
      const again = await generate({ format: 'pdf', language })
      await drain()
      expect((await download(again)).bytes.equals(bytes)).toBe(true)
    },
  )

  it('add up in the CSV file, row by row as the API has them', async () => {
    const id = await generate({ format: 'csv' })
    await drain()
    const [head, ...rows] = parseCsv((await download(id)).bytes.toString())!
    const column = (row: string[], name: string) => row[head!.indexOf(name)]!
    const minor = (row: string[]) => toMinor(column(row, 'credited_revenue'), 'EUR')!
    const api = await ofApi()
    const parts = rows.filter((row) => row[0] !== 'total')
    expect(parts.reduce((sum, row) => sum + minor(row), 0)).toBe(toMinor(api.overview.totals.revenue!, 'EUR'))
    const campaigns = rows.filter((row) => row[0] === 'campaign')
    expect(campaigns.map((row) => [column(row, 'campaign_id'), minor(row)])).toEqual(
      api.campaigns.map((row) => [row.campaign_id, toMinor(row.outcome_value!, 'EUR')]),
    )
  })

  it('are in the HTML page too, where names cannot become markup', async () => {
    await app.pool.query('update profiles set name = $2 where id = $1', [profileId, '<b>Hazel</b> & Pine'])
    const id = await generate({ format: 'html', language: 'es' })
    await drain()
    await app.pool.query("update profiles set name = 'Hazel & Pine' where id = $1", [profileId])
    const { type, bytes } = await download(id)
    expect(type).toBe('text/html; charset=utf-8')
    expect(bytes.toString()).toContain('&lt;b&gt;Hazel&lt;/b&gt; &amp; Pine')
    expect(bytes.toString()).not.toContain('<b>Hazel')
    expect(bytes.toString()).toContain('Informe de resultados')
  })

  it('make no report where there are none', async () => {
    const id = await generate({ profile_ids: [emptyProfileId] })
    expect((await reportOf(id)).status).toBe('queued')
    await drain()
    expect(await reportOf(id)).toMatchObject({ status: 'skipped', reason: 'no_data', download_url: null })
    expect(
      await refusalOf(owner.call(downloadReport, { params: { ...params, reportId: id } })),
    ).toMatchObject({
      status: 409,
    })
  })
})

describe('a mailed report', () => {
  it('reaches every recipient with the file, from the agency, with one click to unsubscribe', async () => {
    const [first, second] = [address(), address()]
    const id = await generate({ send: true, recipients: [first, second] })
    await drain()
    expect(await reportOf(id)).toMatchObject({ status: 'sent', recipients: { total: 2, sent: 2 } })
    const { bytes } = await download(id)
    const [mail, ...more] = await inbox(first)
    expect(more).toEqual([])
    expect(mail!.from).toMatchObject({ name: 'Acme Agency' })
    expect(mail!.subject).toContain('Hazel & Pine')
    expect(mail!.text).toContain('€')
    expect(mail!.html).toContain('Revenue')
    const [file] = mail!.attachments
    expect(file).toMatchObject({
      mimeType: 'application/pdf',
      filename: 'report-hazel-pine-2026-05-01-2026-05-31.pdf',
    })
    expect(Buffer.from(file!.content as ArrayBuffer).equals(bytes)).toBe(true)
    const header = (name: string) => mail!.headers.find(({ key }) => key === name)?.value
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = /^<(.+)>$/.exec(header('list-unsubscribe')!)![1]!

    // Opening the link, as mail programs do by themselves, ends nothing.
    expect((await fetch(url)).status).toBe(200)
    const again = await generate({ send: true, recipients: [first, second] })
    await drain()
    expect((await reportOf(again)).recipients).toMatchObject({ sent: 2 })
    const oneClick = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'List-Unsubscribe=One-Click'
    expect((await fetch(url, { method: 'POST', headers: oneClick, body })).status).toBe(200)
    const last = await generate({ send: true, recipients: [first, second] })
    await drain()
    expect(await reportOf(last)).toMatchObject({ status: 'sent', recipients: { sent: 1, unsubscribed: 1 } })
    expect(await inbox(first)).toHaveLength(2)
    expect(await inbox(second)).toHaveLength(3)
    const forged = url.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))
    expect((await fetch(forged, { method: 'POST', headers: oneClick, body })).status).toBe(404)
  })

  it('has the same Message-ID when a crash makes it go out twice, and no one is missed', async () => {
    const [first, second] = [address(), address()]
    const id = await generate({ send: true, recipients: [first, second] })
    const { mailer } = app.service
    let crashes = 1
    // Accepted by the mail server, but the process ends before it is written down.
    app.service.mailer = {
      async send(mail: Mail) {
        await mailer.send(mail)
        if (mail.to === first && crashes-- > 0) throw new Error('killed')
      },
    }
    await drain()
    app.service.mailer = mailer
    expect((await reportOf(id)).recipients).toMatchObject({ total: 2, sent: 1 })
    await app.pool.query("update jobs set state = 'ready', run_at = now() where state <> 'dead'")
    await drain()
    expect(await reportOf(id)).toMatchObject({ status: 'sent', recipients: { total: 2, sent: 2 } })
    const mails = await inbox(first)
    expect(mails).toHaveLength(2)
    expect(mails[0]!.messageId).toBe(mails[1]!.messageId)
    expect(await inbox(second)).toHaveLength(1)
  })

  it('that the mail server refuses for good is not tried again, and the owner learns which', async () => {
    const [refused, accepted] = [address(), address()]
    const id = await generate({ send: true, recipients: [refused, accepted] })
    const { mailer } = app.service
    const tries: string[] = []
    app.service.mailer = {
      async send(mail: Mail) {
        tries.push(mail.to)
        if (mail.to === refused)
          throw Object.assign(new Error('no'), { responseCode: 550, response: '550 No such user' })
        await mailer.send(mail)
      },
    }
    await drain()
    app.service.mailer = mailer
    expect(tries.filter((to) => to === refused)).toHaveLength(1)
    expect(await reportOf(id)).toMatchObject({
      status: 'sent',
      reason: 'some_mails_failed',
      detail: expect.stringContaining('550 No such user'),
      recipients: { sent: 1, failed: 1 },
    })
  })
})

const patch = (fields: Record<string, unknown>, profiles: string[] | 'all' = [profileId]) =>
  owner.call(patchSchedules, { params, body: { profile_ids: profiles, patch: fields } as never })
/** The schedule's hour comes; the report then covers the days that have data. */
async function comeDue() {
  await app.pool.query(
    "update report_schedules set next_run_at = now() - interval '1 minute' where profile_id = $1",
    [profileId],
  )
  await runSchedule(app.service, clientReportJobs, 'client_reports.start_due')
  await app.pool.query(
    "update client_reports set date_from = '2026-05-01', date_to = '2026-05-31' where scheduled_for is not null",
  )
  return (await hub()).reports.filter((report) => report.is_scheduled)[0]!
}

describe('a schedule', () => {
  it('is set for many profiles at once, and refused without recipients', async () => {
    const { data } = await patch({ cadence: 'monthly', day: 31, time: '07:30' }, 'all')
    expect(data.map(({ status, reason }) => [status, reason])).toEqual([
      ['refused', 'recipients_required'],
      ['refused', 'recipients_required'],
    ])
    expect((await hub()).schedules).toEqual([])
    const made = (
      await patch({ cadence: 'monthly', day: 31, recipients: ['A@Client.example', 'a@client.example'] })
    ).data
    expect(made[0]).toMatchObject({
      status: 'created',
      schedule: { recipients: ['a@client.example'], day: 31 },
    })
    const changed = (await patch({ approval: true })).data[0]!
    expect(changed).toMatchObject({ status: 'updated', schedule: { cadence: 'monthly', approval: true } })
    expect(Date.parse(changed.schedule!.next_run_at!)).toBeGreaterThan(Date.now())
    expect((await patch({ enabled: false })).data[0]!.schedule).toMatchObject({
      enabled: false,
      next_run_at: null,
    })
  })

  it('makes one report for a due time, which waits for approval and is mailed once', async () => {
    const client = address()
    await patch({ enabled: true, approval: true, recipients: [client] })
    const due = await comeDue()
    await runSchedule(app.service, clientReportJobs, 'client_reports.start_due')
    expect((await hub()).reports.filter((report) => report.is_scheduled)).toHaveLength(1)
    await drain()
    expect(await reportOf(due.id)).toMatchObject({ status: 'awaiting_approval', sent_at: null })
    expect(await inbox(client)).toEqual([])
    expect((await mailsTo(app, owner.email)).at(-1)!.subject).toContain('waits for your approval')
    const approve = () => owner.call(approveReport, { params: { ...params, reportId: due.id }, body: {} })
    expect((await approve()).data.status).toBe('ready')
    await drain()
    expect((await reportOf(due.id)).status).toBe('sent')
    expect(await inbox(client)).toHaveLength(1)
    expect(await refusalOf(approve())).toMatchObject({ status: 409, code: 'invalid_state' })
  })

  it('holds a report while data is missing, then skips it; the owner learns both, once', async () => {
    const client = address()
    await patch({ enabled: true, approval: false, recipients: [client] })
    await app.pool.query(
      `insert into connections (id, profile_id, provider, external_id, display_name, status, scopes, token_version,
         authorized_at, created_at, updated_at)
       values ($1, $2, 'social_ads', 'act_1', 'Hazel ads', 'connected', '{}', 1, now(), now(), now())`,
      [uuidv7(), profileId],
    )
    const due = await comeDue()
    await drain()
    const held = { status: 'queued', reason: 'data_stale', detail: expect.stringContaining('Hazel ads') }
    expect(await reportOf(due.id)).toMatchObject(held)
    const later = async () => {
      await app.pool.query("update jobs set state = 'ready', run_at = now()")
      await drain()
    }
    await later()
    expect(await reportOf(due.id)).toMatchObject(held)
    const notices = async () =>
      (await mailsTo(app, owner.email))
        .map(({ subject }) => subject)
        .filter((subject) => /held|not sent/.test(subject))
    expect(await notices()).toEqual(['Report of Hazel & Pine is held'])
    await app.pool.query(
      "update client_reports set scheduled_for = now() - interval '25 hours' where id = $1",
      [due.id],
    )
    await later()
    expect(await reportOf(due.id)).toMatchObject({ ...held, status: 'skipped' })
    expect(await notices()).toEqual(['Report of Hazel & Pine is held', 'Report of Hazel & Pine was not sent'])
    expect(await inbox(client)).toEqual([])
    await app.pool.query('delete from connections where profile_id = $1', [profileId])
  })
})

describe('another', () => {
  it('tenant’s reports do not exist for a stranger, nor in another workspace', async () => {
    const id = await generate()
    const stranger = await makePerson(app, 'Stranger')
    expect(await refusalOf(stranger.call(getReportsHub, { params }))).toMatchObject({ status: 404 })
    const theirs = { workspaceId: await makeWorkspace(stranger), reportId: id }
    expect(await refusalOf(stranger.call(downloadReport, { params: theirs }))).toMatchObject({ status: 404 })
    expect(await refusalOf(stranger.call(approveReport, { params: theirs, body: {} }))).toMatchObject({
      status: 404,
    })
    const foreign = { ...days, profile_ids: [profileId] } as never
    const asked = stranger.call(generateReports, {
      params: { workspaceId: theirs.workspaceId },
      body: foreign,
    })
    expect(await refusalOf(asked)).toMatchObject({ status: 404 })
  })

  it('person’s profile grant limits what the hub shows', async () => {
    const member = await makePerson(app, 'Member')
    await app.pool.query(
      "insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'viewer', now())",
      [params.workspaceId, member.id],
    )
    const generated = member.call(generateReports, { params, body: days as never })
    expect(await refusalOf(generated)).toMatchObject({ status: 403 })
  })

  it('kind of workspace gets no mail: provisioned by an app, or on the starter plan where plans are billed', async () => {
    await app.pool.query("update workspaces set acquisition_source = 'oauth' where id = $1", [
      params.workspaceId,
    ])
    const refused = { status: 403, code: 'app_provisioned_workspace' }
    expect(await refusalOf(generate({ send: true, recipients: ['a@client.example'] }))).toMatchObject(refused)
    expect(await refusalOf(patch({ recipients: ['a@client.example'] }))).toMatchObject(refused)
    await generate()
    await app.pool.query("update workspaces set acquisition_source = 'direct' where id = $1", [
      params.workspaceId,
    ])
    const { billing } = app.service
    app.service.billing = {} as never
    await app.pool.query("update workspace_subscriptions set plan = 'starter' where workspace_id = $1", [
      params.workspaceId,
    ])
    await app.pool.query("update workspaces set plan = 'starter' where id = $1", [params.workspaceId])
    const upgrade = { status: 402, code: 'plan_upgrade_required' }
    expect(await refusalOf(patch({ recipients: ['a@client.example'] }))).toMatchObject(upgrade)
    expect((await patch({ enabled: false })).data[0]!.status).toBe('updated')
    app.service.billing = billing
  })
})
