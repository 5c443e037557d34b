import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runSchedule } from '../../../../test/jobs.ts'
import { refusalOf } from '../../../../test/make.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { openReportDesk, type ReportDesk } from '../../../../test/report-desk.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { approveReport } from './contract.ts'
import { clientReportJobs } from './jobs.ts'

let app: ReportDesk['app']
let owner: ReportDesk['owner']
let params: ReportDesk['params']
let profileId: ReportDesk['profileId']
let hub: ReportDesk['hub']
let patch: ReportDesk['patch']
let drain: ReportDesk['drain']
let reportOf: ReportDesk['reportOf']
let generate: ReportDesk['generate']
let download: ReportDesk['download']
let inbox: ReportDesk['inbox']
let comeDue: ReportDesk['comeDue']
beforeAll(async () => {
  ;({ app, owner, params, profileId, hub, patch, drain, reportOf, generate, download, inbox, comeDue } =
    await openReportDesk())
})
afterAll(() => app.close())
beforeEach(() => app.pool.query('delete from jobs'))

const address = () => `client-${uuidv7()}@example.com`

describe('a mailed report', () => {
  it('reaches every recipient with the file, from the agency, with one click to unsubscribe', async () => {
    const [first, second] = [address(), address()]
    const id = await generate({ send: true, recipients: [first, second] })
    await drain()
    expect(await reportOf(id)).toMatchObject({
      status: 'sent',
      // The test service writes mails to files.
      reason: 'no_mail_server',
      recipients: { total: 2, sent: 2 },
    })
    const { bytes } = await download(id)
    const [mail, ...extraMails] = await inbox(first)
    expect(extraMails).toEqual([])
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

    // Opening the link, as mail clients do to scan it, does not unsubscribe.
    expect((await fetch(url)).status).toBe(200)
    const secondId = await generate({ send: true, recipients: [first, second] })
    await drain()
    expect((await reportOf(secondId)).recipients).toMatchObject({ sent: 2 })
    const oneClick = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'List-Unsubscribe=One-Click'
    expect((await fetch(url, { method: 'POST', headers: oneClick, body })).status).toBe(200)
    const last = await generate({ send: true, recipients: [first, second] })
    await drain()
    expect(await reportOf(last)).toMatchObject({ status: 'sent', recipients: { sent: 1, unsubscribed: 1 } })
    expect(await inbox(first)).toHaveLength(2)
    expect(await inbox(second)).toHaveLength(3)
    const forged = url.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))
    const ofBriefs = url.replace('/reports/', '/briefs/')
    for (const wrong of [forged, ofBriefs])
      expect((await fetch(wrong, { method: 'POST', headers: oneClick, body })).status).toBe(404)
  })

  it('has the same Message-ID when a crash makes it go out twice, and no one is missed', async () => {
    const [first, second] = [address(), address()]
    const id = await generate({ send: true, recipients: [first, second] })
    const { mailer } = app.service
    let crashes = 1
    // The mail server accepts the mail, but the process ends before the result is stored.
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

  it('that the mail server rejects permanently is not retried, and the owners are notified', async () => {
    const [refusedAddress, acceptedAddress] = [address(), address()]
    const id = await generate({ send: true, recipients: [refusedAddress, acceptedAddress] })
    const { mailer } = app.service
    const tries: string[] = []
    app.service.mailer = {
      async send(mail: Mail) {
        tries.push(mail.to)
        if (mail.to === refusedAddress)
          throw Object.assign(new Error('no'), { responseCode: 550, response: '550 No such user' })
        await mailer.send(mail)
      },
    }
    await drain()
    app.service.mailer = mailer
    expect(tries.filter((to) => to === refusedAddress)).toHaveLength(1)
    expect(await reportOf(id)).toMatchObject({
      status: 'sent',
      reason: 'some_mails_failed',
      detail: expect.stringContaining('550 No such user'),
      recipients: { sent: 1, failed: 1 },
    })
  })
})

describe('a schedule', () => {
  it('is set for many profiles in one request, and refused without recipients', async () => {
    const { data } = await patch({ cadence: 'monthly', day: 31, time: '07:30' }, 'all')
    expect(data.map(({ status, reason }) => [status, reason])).toEqual([
      ['refused', 'recipients_required'],
      ['refused', 'recipients_required'],
    ])
    expect((await hub()).schedules).toEqual([])
    const created = (
      await patch({ cadence: 'monthly', day: 31, recipients: ['A@Client.example', 'a@client.example'] })
    ).data
    expect(created[0]).toMatchObject({
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

  it('creates one report per due time, which waits for approval and is mailed once', async () => {
    const client = address()
    await patch({ enabled: true, approval: true, recipients: [client] })
    const due = await comeDue()
    await runSchedule(app.service, clientReportJobs, 'client_reports.start_due')
    expect((await hub()).reports.filter((report) => report.is_scheduled)).toHaveLength(1)
    await drain()
    expect(await reportOf(due.id)).toMatchObject({ status: 'awaiting_approval', sent_at: null })
    expect(await inbox(client)).toEqual([])
    expect((await mailsTo(app, owner.email)).at(-1)!.subject).toContain('needs your approval')
    const approve = () => owner.call(approveReport, { params: { ...params, reportId: due.id }, body: {} })
    expect((await approve()).data.status).toBe('ready')
    await drain()
    expect((await reportOf(due.id)).status).toBe('sent')
    expect(await inbox(client)).toHaveLength(1)
    expect(await refusalOf(approve())).toMatchObject({ status: 409, code: 'invalid_state' })
  })

  it('holds a report while data is missing, then skips it; the owners are notified of each once', async () => {
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
    const heldReport = {
      status: 'queued',
      reason: 'data_stale',
      detail: expect.stringContaining('Hazel ads'),
    }
    expect(await reportOf(due.id)).toMatchObject(heldReport)
    const later = async () => {
      await app.pool.query("update jobs set state = 'ready', run_at = now()")
      await drain()
    }
    await later()
    expect(await reportOf(due.id)).toMatchObject(heldReport)
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
    expect(await reportOf(due.id)).toMatchObject({ ...heldReport, status: 'skipped' })
    expect(await notices()).toEqual(['Report of Hazel & Pine is held', 'Report of Hazel & Pine was not sent'])
    expect(await inbox(client)).toEqual([])
    await app.pool.query('delete from connections where profile_id = $1', [profileId])
  })
})
