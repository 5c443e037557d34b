import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { type Receiver, startReceiver } from '../../../../test/receiver.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import {
  createBriefWebhook,
  deleteBriefWebhook,
  listBriefReceivers,
  putBriefSubscription,
} from './contract.ts'
import { deliver } from './deliver.ts'
import { DELIVERY_ATTEMPTS } from './job-names.ts'
import { briefJobs } from './jobs.ts'

let app: TestApp
let owner: Person
let params: { workspaceId: string }
let profileId: string
let receiver: Receiver
let status = 200
beforeAll(async () => {
  app = await startTestApp({ SANDBOX: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  receiver = await startReceiver((_request, reply) => void reply.writeHead(status).end('ok'))
  owner = await makePerson(app, 'Owner')
  params = { workspaceId: await makeWorkspace(owner, 'agency') }
  profileId = await makeProfile(owner, params.workspaceId, { name: 'Hazel <& Pine>' })
  await makeAdWorld(app, profileId, app.as(await makeKey(app, profileId, ['events:write'])))
})
afterAll(async () => {
  await receiver.close()
  await app.close()
})
beforeEach(async () => {
  await app.pool.query('delete from jobs')
  await app.pool.query('delete from brief_receivers')
  await app.pool.query('delete from brief_deliveries')
  receiver.requests.length = 0
  status = 200
})

const subscribe = (who: Person, fields: Record<string, unknown> = {}) =>
  who.call(putBriefSubscription, {
    params,
    body: { profile_id: profileId, cadence: 'daily', ...fields },
  })
const listed = async (who = owner) => (await who.call(listBriefReceivers, { params })).data
const hook = (kind: 'slack' | 'teams', fields: Record<string, unknown> = {}) =>
  owner.call(createBriefWebhook, {
    params,
    body: {
      profile_id: profileId,
      kind,
      name: '#ads',
      url: `${receiver.url}/services/secret`,
      ...fields,
    },
  })

/** Makes the brief due on a morning after days with figures. */
async function comeDue() {
  await app.pool.query(
    `update brief_receivers set next_run_at = '2026-05-07T06:00:00Z' where cadence <> 'never'`,
  )
  await runSchedule(app.service, briefJobs, 'briefs.start_due')
}
const deliveries = async () =>
  (await app.pool.query('select id, status, reason, date_from::text, date_to::text from brief_deliveries'))
    .rows

async function inbox(address: string) {
  const folder = join(app.service.config.DATA_DIR, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  )
  return mails.filter((mail) => mail.to?.some((to) => to.address === address))
}

async function makeViewer(): Promise<Person> {
  const viewer = await makePerson(app, 'Viewer')
  await app.pool.query(
    `insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`,
    [params.workspaceId, viewer.id],
  )
  return viewer
}

describe('a mailed brief', () => {
  it('reaches the member each morning, with figures that link to reports, and ends with one click', async () => {
    const viewer = await makeViewer()
    const { data } = await subscribe(viewer, { time: '07:30' })
    expect(Date.parse(data.next_run_at!)).toBeGreaterThan(Date.now())
    await comeDue()
    await drainJobs(app.service, briefJobs)
    expect(await deliveries()).toMatchObject([
      { status: 'sent', reason: null, date_from: '2026-05-06', date_to: '2026-05-06' },
    ])
    const [mail] = await inbox(viewer.email)
    expect(mail!.subject).toBe('Hazel <& Pine>: what changed, 6 May 2026')
    expect(mail!.text).toContain('Revenue fell by €10.00 (-33.3%) to €20.00.')
    expect(mail!.html).toContain('Hazel &lt;&amp; Pine&gt;')
    expect(mail!.html).toContain(`/p/${profileId}/overview?from=2026-05-06&amp;to=2026-05-06`)
    const header = (name: string) => mail!.headers.find(({ key }) => key === name)?.value
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = /^<(.+)>$/.exec(header('list-unsubscribe')!)![1]!
    // Opening the link, as mail clients do to scan it, does not unsubscribe.
    expect((await fetch(url)).status).toBe(200)
    expect((await listed(viewer)).subscriptions).toHaveLength(1)
    expect((await fetch(`${url}x`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    expect((await listed(viewer)).subscriptions).toEqual([])
  })

  it('is queued once per due time, and keeps its Message-ID if a crash makes it repeat', async () => {
    await subscribe(owner)
    await comeDue()
    await comeDue()
    const [delivery, ...extraDeliveries] = await deliveries()
    expect(extraDeliveries).toEqual([])
    const { mailer } = app.service
    const sent: Mail[] = []
    app.service.mailer = {
      async send(mail) {
        sent.push(mail)
        if (sent.length === 1) throw new Error('the process ended here')
      },
    }
    const context = jobContext(app.service, { now: new Date() })
    const deliveryKey = { profileId, id: delivery!.id as string }
    try {
      await expect(deliver(context, deliveryKey)).rejects.toThrow('ended here')
      await deliver(context, deliveryKey)
      await deliver(context, deliveryKey)
    } finally {
      app.service.mailer = mailer
    }
    expect(sent.map(({ messageId }) => messageId)).toEqual([delivery!.id, delivery!.id])
    expect(await deliveries()).toMatchObject([{ status: 'sent' }])
  })

  it('is not sent to a person who can no longer open the profile', async () => {
    const viewer = await makeViewer()
    await subscribe(viewer)
    await comeDue()
    await app.pool.query('delete from workspace_members where user_id = $1', [viewer.id])
    await drainJobs(app.service, briefJobs)
    expect(await inbox(viewer.email)).toEqual([])
    expect(await deliveries()).toMatchObject([{ status: 'skipped' }])
    expect((await app.pool.query('select 1 from brief_receivers')).rows).toEqual([])
  })

  it('is chosen and sent only while the member’s address is verified', async () => {
    const viewer = await makeViewer()
    const verify = (at: string | null) =>
      app.pool.query('update users set email_verified_at = $2 where id = $1', [viewer.id, at])
    await verify(null)
    expect(await refusalOf(subscribe(viewer))).toMatchObject({
      code: 'invalid_state',
      reason: 'email_unverified',
    })
    await subscribe(viewer, { cadence: 'never' })
    await verify('2026-05-01T00:00:00Z')
    await subscribe(viewer)
    await comeDue()
    await verify(null)
    await drainJobs(app.service, briefJobs)
    expect(await inbox(viewer.email)).toEqual([])
    expect(await deliveries()).toMatchObject([{ status: 'skipped' }])
  })

  it('counts in the mails that a workspace may send in a day', async () => {
    await app.pool.query(
      `insert into brief_deliveries (profile_id, id, receiver_id, occasion, date_from, date_to, status, created_at, sent_at)
       select $1, gen_random_uuid(), gen_random_uuid(), 'full', '2026-05-06', '2026-05-06', 'sent', now(), now()
       from generate_series(1, 1000)`,
      [profileId],
    )
    const viewer = await makeViewer()
    await subscribe(viewer)
    await comeDue()
    await drainJobs(app.service, briefJobs)
    expect(await inbox(viewer.email)).toEqual([])
    expect((await deliveries()).filter(({ status }) => status !== 'sent')).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('At most 1000 report mails in a day') },
    ])
  })

  it('is not sent without spend and payments, nor to a member with the cadence never', async () => {
    await subscribe(owner)
    await app.pool.query(`update brief_receivers set next_run_at = '2026-02-07T06:00:00Z'`)
    await runSchedule(app.service, briefJobs, 'briefs.start_due')
    await drainJobs(app.service, briefJobs)
    expect(await deliveries()).toMatchObject([{ status: 'skipped' }])
    const { data } = await subscribe(owner, { cadence: 'never' })
    expect(data).toMatchObject({ cadence: 'never', next_run_at: null })
    expect((await listed()).subscriptions).toHaveLength(1)
  })
})

describe('a failure', () => {
  it('to compose a brief is retried, then stored as failed with an error that is shown', async () => {
    await hook('slack')
    await comeDue()
    const [delivery] = await deliveries()
    const shardOf = () => Promise.reject(new Error('no connection'))
    const service = { ...app.service, nodes: { ...app.service.nodes, shardOf } }
    const attempt = (number: number) =>
      deliver(jobContext(service, { now: new Date(), attempt: number }), {
        profileId,
        id: delivery!.id as string,
      })
    await expect(attempt(1)).rejects.toThrow('no connection')
    expect(await deliveries()).toMatchObject([{ status: 'queued' }])
    await attempt(DELIVERY_ATTEMPTS)
    expect(await deliveries()).toMatchObject([
      { status: 'failed', reason: 'The brief could not be composed.' },
    ])
    expect((await listed()).webhooks).toMatchObject([{ last_error: 'The brief could not be composed.' }])
    expect(receiver.requests).toEqual([])
  })

  it('of one receiver does not block the others', async () => {
    const otherId = await makeProfile(owner, params.workspaceId, { name: 'Broken' })
    await hook('slack', { profile_id: otherId })
    const { data: working } = await hook('teams')
    const setZone = (zone: string) =>
      app.pool.query('update profiles set timezone = $2 where id = $1', [otherId, zone])
    await setZone('No/Zone')
    await app.pool.query(
      `update brief_receivers set next_run_at = timestamptz '2026-05-07T06:00:00Z'
         - case when profile_id = $1 then interval '1 hour' else interval '0' end`,
      [otherId],
    )
    await runSchedule(app.service, briefJobs, 'briefs.start_due').finally(() => setZone('UTC'))
    const { rows } = await app.pool.query('select receiver_id from brief_deliveries')
    expect(rows).toEqual([{ receiver_id: working.id }])
  })
})

describe('a webhook for briefs', () => {
  it('posts text in the format of the chat services, with names escaped and no personal values', async () => {
    await hook('slack')
    await hook('teams')
    await comeDue()
    await drainJobs(app.service, briefJobs)
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/services/secret', '/services/secret'])
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body))
    const slack = bodies.find((body) => 'text' in body)
    expect(slack.text).toContain('*Hazel &lt;&amp; Pine&gt;: what changed, 6 May 2026*')
    expect(slack.text).toMatch(/Revenue fell by <https?:[^|>]+\|€10\.00> \(-33\.3%\)/)
    const card = bodies.find((body) => body.type === 'message').attachments[0]
    expect(card.contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(card.content.body[2].text).toMatch(/^Revenue fell by \[€10\.00\]\(https?:[^)]+\)/)
    expect(JSON.stringify(bodies)).not.toMatch(/ana|bob|cid-1|@/)
  })

  it('keeps its address secret, and is listed and removed by owners and admins only', async () => {
    const { data: created } = await hook('slack')
    expect(created).toMatchObject({ host: new URL(receiver.url).host, last_error: null })
    expect(JSON.stringify([created, await listed()])).not.toContain('secret')
    const { rows } = await app.pool.query('select url from brief_receivers')
    expect((rows[0].url as Buffer).toString('latin1')).not.toContain('secret')
    const viewer = await makeViewer()
    expect((await listed(viewer)).webhooks).toEqual([])
    const webhook = { params: { ...params, webhookId: created.id } }
    expect(await refusalOf(viewer.call(deleteBriefWebhook, webhook))).toMatchObject({ status: 403 })
    const stranger = await makePerson(app, 'Stranger')
    const otherParams = { workspaceId: await makeWorkspace(stranger, 'agency') }
    const deletion = stranger.call(deleteBriefWebhook, { params: { ...otherParams, webhookId: created.id } })
    expect(await refusalOf(deletion)).toMatchObject({ status: 404, code: 'not_found' })
    await owner.call(deleteBriefWebhook, webhook)
    expect((await listed()).webhooks).toEqual([])
    expect(await refusalOf(owner.call(deleteBriefWebhook, webhook))).toMatchObject({ code: 'not_found' })
  })

  it('refuses addresses that are not public', async () => {
    for (const url of [
      'https://169.254.169.254/latest',
      'https://[::1]/x',
      'ftp://example.com',
      'https://a:b@example.com',
    ])
      expect(await refusalOf(hook('slack', { url }))).toMatchObject({ code: 'validation_error' })
    expect((await listed()).webhooks).toEqual([])
  })

  it('shows why the last message was rejected, and does not retry a permanent rejection', async () => {
    await hook('slack')
    status = 404
    await comeDue()
    await drainJobs(app.service, briefJobs)
    expect(receiver.requests).toHaveLength(1)
    expect((await listed()).webhooks).toMatchObject([
      { last_error: 'The webhook returned status 404.', last_sent_at: null },
    ])
    expect(await deliveries()).toMatchObject([{ status: 'failed' }])
  })
})
