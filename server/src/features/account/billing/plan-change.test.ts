import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type BillingProvider, prices, startBillingProvider } from '../../../../test/billing-provider.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makePerson, type Person, refusalOf } from '../../../../test/make.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { makeVisitor } from '../../../../test/visitor.ts'
import { jobs } from '../../../app.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { getHandoff } from '../../sources/handoffs/contract.ts'
import { archiveWorkspace, createWorkspace, getSubscription } from '../workspaces/contract.ts'
import { createCheckoutSession } from './contract.ts'
import { billingJobs } from './jobs.ts'
import { billingMail, billingNotice } from './notices.ts'

let provider: BillingProvider
let app: TestApp
let owner: Person
beforeAll(async () => {
  provider = await startBillingProvider()
  app = await startTestApp({ BILLING: provider.config })
})
beforeEach(async () => {
  owner = await makePerson(app, 'Owner')
})
afterAll(async () => {
  await app?.close()
  provider?.close()
})

const open = async () =>
  (await owner.call(createWorkspace, { body: { name: 'Shop', timezone: 'UTC', plan: 'growth' } })).data
    .workspace_id
const subscriptionOf = async (workspaceId: string) =>
  (await owner.call(getSubscription, { params: { workspaceId } })).data
const checkout = async (workspaceId: string, plan: 'growth' | 'agency') =>
  (await owner.call(createCheckoutSession, { params: { workspaceId }, body: { plan } })).data
const statusOf = async (id: string) => (await owner.call(getHandoff, { params: { id } })).data.status

async function openPaid() {
  const workspaceId = await open()
  const paid = provider.pay()
  expect((await makeVisitor().open(paid.returnUrl)).status).toBe(200)
  return { workspaceId, subscriptionId: paid.id }
}

const review = billingJobs[0]!
async function runReview(inDays = 0): Promise<void> {
  const { service } = app
  const now = new Date(Date.now() + inDays * 86_400_000)
  await review.run({ service, db: service.db, now } as Parameters<typeof review.run>[0], {})
  await drainJobs(service, jobs)
}

describe('a change of a paid plan', () => {
  it('changes the same subscription on the provider’s page, and applies once the provider reports it', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    const checkouts = provider.checkouts.length
    const { id } = await checkout(workspaceId, 'agency')
    expect(provider.checkouts).toHaveLength(checkouts)
    const portal = provider.portals.at(-1)!
    expect(portal.get('flow_data[type]')).toBe('subscription_update_confirm')
    expect(portal.get('flow_data[subscription_update_confirm][items][0][price]')).toBe(prices.agency)
    const returnUrl = portal.get('flow_data[after_completion][redirect][return_url]')!
    expect((await makeVisitor().open(returnUrl)).status).toBe(400)
    expect([await statusOf(id), (await subscriptionOf(workspaceId)).plan]).toEqual(['pending', 'growth'])
    provider.confirmChange()
    expect((await makeVisitor().open(returnUrl)).status).toBe(200)
    expect(await statusOf(id)).toBe('completed')
    expect(await subscriptionOf(workspaceId)).toMatchObject({
      plan: 'agency',
      status: 'active',
      billed_by: 'payment_provider',
      active_profiles: { limit: 50 },
    })
    expect(provider.subscriptions.get(subscriptionId)!.status).toBe('active')
  })

  it('to the current plan is refused', async () => {
    const { workspaceId } = await openPaid()
    expect(await refusalOf(checkout(workspaceId, 'growth'))).toMatchObject({
      status: 409,
      reason: 'already_on_plan',
    })
  })

  it('that the payer makes at the provider is read, including its end', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    const subscription = provider.subscriptions.get(subscriptionId)!
    subscription.items.data[0]!.price.id = prices.agency
    subscription.cancel_at_period_end = true
    const send = (secret?: string) =>
      provider.send(app.baseUrl, 'customer.subscription.updated', { id: subscriptionId }, secret)
    expect(await send('guessed')).toBe(400)
    expect(await subscriptionOf(workspaceId)).toMatchObject({ plan: 'growth', cancels_at: null })
    expect(await send()).toBe(200)
    const storedSubscription = await subscriptionOf(workspaceId)
    expect(storedSubscription).toMatchObject({
      plan: 'agency',
      cancels_at: storedSubscription.current_period_end,
    })
  })

  it('is read daily if no webhook reports it', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    provider.subscriptions.get(subscriptionId)!.items.data[0]!.price.id = prices.agency
    await runReview()
    expect((await subscriptionOf(workspaceId)).plan).toBe('growth')
    await runReview(1.01)
    expect((await subscriptionOf(workspaceId)).plan).toBe('agency')
  })
})

describe('a subscription that has ended at the provider', () => {
  it.each([
    ['canceled', true],
    ['unknown', false],
  ])('and is %s there ends here too, and a new checkout can be paid', async (how, isKnown) => {
    const { workspaceId, subscriptionId } = await openPaid()
    if (isKnown) provider.subscriptions.get(subscriptionId)!.status = how
    else provider.subscriptions.delete(subscriptionId)
    const checkouts = provider.checkouts.length
    const { id } = await checkout(workspaceId, 'growth')
    expect((await subscriptionOf(workspaceId)).status).toBe('canceled')
    expect(provider.checkouts).toHaveLength(checkouts + 1)
    expect(provider.checkouts.at(-1)!.form.has('customer')).toBe(isKnown)
    expect((await makeVisitor().open(provider.pay().returnUrl)).status).toBe(200)
    expect([await statusOf(id), (await subscriptionOf(workspaceId)).status]).toEqual(['completed', 'active'])
  })

  it('and does not exist there ends once it is read, and a new checkout can be paid', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    provider.subscriptions.delete(subscriptionId)
    await runReview(1.01)
    expect((await subscriptionOf(workspaceId)).status).toBe('canceled')
    const { id } = await checkout(workspaceId, 'growth')
    await makeVisitor().open(provider.pay().returnUrl)
    expect(await statusOf(id)).toBe('completed')
  })
})

describe('a subscription that no one uses', () => {
  it('is ended at the provider when two checkouts were paid', async () => {
    const workspaceId = await open()
    const first = provider.checkouts.at(-1)!
    await checkout(workspaceId, 'agency')
    const [firstPayment, secondPayment] = [provider.pay(first), provider.pay()]
    await makeVisitor().open(firstPayment.returnUrl)
    await makeVisitor().open(secondPayment.returnUrl)
    await drainJobs(app.service, jobs)
    expect((await subscriptionOf(workspaceId)).plan).toBe('agency')
    expect([firstPayment, secondPayment].map(({ id }) => provider.subscriptions.get(id)!.status)).toEqual([
      'canceled',
      'active',
    ])
  })

  it('is ended at the provider with its workspace', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    await owner.call(archiveWorkspace, { params: { workspaceId } })
    await drainJobs(app.service, jobs)
    expect(provider.subscriptions.get(subscriptionId)!.status).toBe('canceled')
  })
})

describe('the owner', () => {
  const subjects = async () => (await mailsTo(app, owner.email)).map(({ subject }) => subject)

  it('gets one mail for each step of a trial that is not paid', async () => {
    const workspaceId = await open()
    const end = (await subscriptionOf(workspaceId)).trial_ends_at!.slice(0, 10)
    const steps: [days: number, sent: string[]][] = [
      [10.9, []],
      [11.1, [`Your trial of the growth plan ends on ${end}`]],
      [14.1, ['Your growth plan is not paid']],
      [21.1, ['Reminder: your growth plan is not paid']],
      [25.1, ['Last reminder: your growth plan ends in three days']],
      [28.1, ['Your growth plan has ended']],
      [40, []],
    ]
    const sent: string[] = []
    for (const [days, mails] of steps) {
      await runReview(days)
      await runReview(days)
      expect([days, await subjects()]).toEqual([days, [...sent, ...mails]])
      sent.push(...mails)
    }
  })

  it('gets each mail once, even if the mail to another owner fails at first', async () => {
    const workspaceId = await open()
    const partner = await makePerson(app, 'Partner')
    await app.pool.query(
      "insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'owner', now())",
      [workspaceId, partner.id],
    )
    const { mailer } = app.service
    const sent: Mail[] = []
    app.service.mailer = {
      async send(mail) {
        if (mail.to === partner.email && sent.every(({ to }) => to !== partner.email)) {
          sent.push(mail)
          throw new Error('the mail server is away')
        }
        sent.push(mail)
      },
    }
    try {
      await runReview(11.1)
      await app.pool.query(
        "update jobs set state = 'ready', run_at = now() where name = $1 and state = 'scheduled'",
        [billingMail.name],
      )
      await drainJobs(app.service, jobs)
    } finally {
      app.service.mailer = mailer
    }
    const idsTo = (email: string) => sent.filter(({ to }) => to === email).map(({ messageId }) => messageId)
    expect(idsTo(owner.email)).toHaveLength(1)
    const repeated = idsTo(partner.email)
    expect(repeated).toEqual([repeated[0], repeated[0]])
    expect(repeated[0]).toEqual(expect.any(String))
  })

  it('gets the mail that an earlier release queued as one job for all owners', async () => {
    const workspaceId = await open()
    const payload = {
      workspace_id: workspaceId,
      notice: 'ended',
      plan: 'growth',
      trial_ends_at: null,
    } as const
    await app.service.db.transaction().execute((tx) => enqueue(tx, billingNotice, payload))
    await drainJobs(app.service, jobs)
    expect(await subjects()).toEqual(['Your growth plan has ended'])
  })

  it('gets a mail each time the plan ends, even after it was paid again', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    const end = async (id: string) => {
      provider.subscriptions.get(id)!.status = 'canceled'
      await provider.send(app.baseUrl, 'customer.subscription.deleted', { id })
      await runReview()
    }
    await end(subscriptionId)
    await checkout(workspaceId, 'growth')
    const secondPayment = provider.pay()
    await makeVisitor().open(secondPayment.returnUrl)
    await runReview()
    expect(await subjects()).toEqual(['Your growth plan has ended'])
    await end(secondPayment.id)
    expect(await subjects()).toEqual(['Your growth plan has ended', 'Your growth plan has ended'])
  })

  it('gets a mail when a renewal fails, and when it is paid later', async () => {
    const { workspaceId, subscriptionId } = await openPaid()
    const subscription = provider.subscriptions.get(subscriptionId)!
    for (const status of ['past_due', 'past_due', 'active']) {
      subscription.status = status
      await provider.send(app.baseUrl, 'invoice.payment_failed', { id: 'in_1', subscription: subscriptionId })
      await runReview()
    }
    expect(await subjects()).toEqual(['Your growth plan is not paid', 'Your growth plan is paid'])
    expect((await subscriptionOf(workspaceId)).status).toBe('active')
  })
})
