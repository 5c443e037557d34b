/** Reports are sent from the client's mailbox, and from the sender domain if the mailbox cannot send. */
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { jobContext } from '../../../../test/job-context.ts'
import { makeKey } from '../../../../test/make.ts'
import { shopWith, triggerSandbox } from '../../../../test/make-shop.ts'
import { openReportDesk, type ReportDesk } from '../../../../test/report-desk.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type Connection, disconnectConnection, getConnection } from '../../sources/connections/contract.ts'

let desk: ReportDesk
let mailbox: Connection
let shop: ReturnType<typeof shopWith>
beforeAll(async () => {
  desk = await openReportDesk()
  const { app, owner, params, profileId } = desk
  const key = await makeKey(app, profileId, ['connections:read', 'connections:write'])
  shop = shopWith(app, { owner, workspaceId: params.workspaceId, profileId }, key)
  mailbox = await shop.connected('microsoft_mail')
})
afterAll(() => desk.app.close())
beforeEach(async () => {
  await desk.app.pool.query('delete from jobs')
  await act('reset')
})

const act = (action: string, args: Record<string, unknown> = {}) =>
  triggerSandbox(desk.app, 'microsoft_mail', 'act', { action, args })
const sentTo = async (address: string) =>
  ((await act('sent_mail')) as { sent: { raw: string; to: string[] }[] }).sent.filter(({ to }) =>
    to.includes(address),
  )
const address = (host = 'example.com') => `client-${uuidv7()}@${host}`
async function mailTo(recipient: string) {
  const id = await desk.generate({ send: true, format: 'csv', recipients: [recipient] })
  await desk.drain()
  return desk.reportOf(id)
}

it('a report is sent from the mailbox, with the file and one click to unsubscribe', async () => {
  const recipient = address()
  const report = await mailTo(recipient)
  expect(report).toMatchObject({ status: 'sent', recipients: { total: 1, sent: 1 } })
  const [mail, ...extraMails] = await sentTo(recipient)
  expect(extraMails).toEqual([])
  const read = await PostalMime.parse(Buffer.from(mail!.raw, 'base64'))
  expect(read.from).toMatchObject({ address: mailbox.display_name })
  expect(read.subject).toContain('Hazel & Pine')
  const [file] = read.attachments
  expect(Buffer.from(file!.content as ArrayBuffer).equals((await desk.download(report.id)).bytes)).toBe(true)
  const header = (name: string) => read.headers.find(({ key }) => key === name)?.value
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('list-unsubscribe')).toMatch(/^<http.*\/reports\/unsubscribe\//)
  expect(await desk.inbox(recipient)).toEqual([])
})

it('a scheduled report too', async () => {
  const recipient = address()
  await desk.patch({ enabled: true, recipients: [recipient], format: 'csv' })
  const report = await desk.comeDue()
  await desk.drain()
  expect(await desk.reportOf(report.id)).toMatchObject({ status: 'sent' })
  expect(await sentTo(recipient)).toHaveLength(1)
  expect(await desk.inbox(recipient)).toEqual([])
})

it('if the mailbox refuses, that is recorded and the report is sent from the sender domain', async () => {
  const recipient = address()
  await act('refuse', { with: 'account_suspended' })
  expect(await mailTo(recipient)).toMatchObject({ status: 'sent', recipients: { sent: 1 } })
  expect(await sentTo(recipient)).toEqual([])
  expect(await desk.inbox(recipient)).toHaveLength(1)
  const status = async () => (await shop.call(getConnection, { params: { id: mailbox.id } })).data.status
  expect(await status()).toBe('needs_action')
  // A successful send of the next report clears the error.
  await act('reset')
  const next = address()
  await mailTo(next)
  expect(await sentTo(next)).toHaveLength(1)
  expect(await status()).toBe('connected')
})

it('a rejected recipient is not retried from the sender domain', async () => {
  const recipient = address('example.invalid')
  expect(await mailTo(recipient)).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('rejected the address'),
  })
  expect(await desk.inbox(recipient)).toEqual([])
})

it('after a lost response the report is not sent again, from neither sender', async () => {
  const recipient = address()
  await triggerSandbox(desk.app, 'microsoft_mail', 'fault', {
    kind: 'lost_reply',
    match: '/v1.0/me/sendMail',
    times: 1,
  })
  expect(await mailTo(recipient)).toMatchObject({ status: 'sent' })
  expect(await sentTo(recipient)).toHaveLength(1)
  expect(await desk.inbox(recipient)).toEqual([])
})

it('a crash after the vendor took the mail does not send it again', async () => {
  const recipient = address()
  const report = await mailTo(recipient)
  // State after a crash: the mail is still marked as being sent, and its job is retried.
  const { db } = desk.app.service
  const condition = sql`profile_id = ${desk.profileId} and id = (
    select id from client_report_mails where profile_id = ${desk.profileId} and report_id = ${report.id})`
  await sql`update mail_messages set status = 'sending', settled_at = null where ${condition}`.execute(db)
  await sql`update client_report_mails set status = 'queued', sent_at = null where ${condition}`.execute(db)
  await sql`update client_reports set status = 'ready', sent_at = null
    where profile_id = ${desk.profileId} and id = ${report.id}`.execute(db)
  const { rows } = await sql<{ id: string }>`select id from client_report_mails where ${condition}`.execute(
    db,
  )
  const { sendReportMail } = await import('./send.ts')
  await sendReportMail(jobContext(desk.app.service), { profileId: desk.profileId, id: rows[0]!.id })
  expect(await desk.reportOf(report.id)).toMatchObject({ status: 'sent', recipients: { sent: 1 } })
  expect(await sentTo(recipient)).toHaveLength(1)
  expect(await desk.inbox(recipient)).toEqual([])
})

it('without a mailbox the report is sent from the sender domain', async () => {
  await shop.call(disconnectConnection, { params: { id: mailbox.id } })
  const recipient = address()
  await mailTo(recipient)
  expect(await desk.inbox(recipient)).toHaveLength(1)
  expect(await sentTo(recipient)).toEqual([])
})
