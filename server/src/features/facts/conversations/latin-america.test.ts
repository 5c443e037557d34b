/** Phone numbers of chat apps in Latin America match the CRM's contact in every format. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey } from '../../../../test/make.ts'
import { makeShop, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { listCustomers } from '../../insights/customers/contract.ts'
import { syncChatTemplates } from '../../sources/chat-templates/contract.ts'
import { findConnection } from '../../sources/connections/queries.ts'
import { applyRecords } from '../../sources/connections/records.ts'
import { processWebhook } from '../../sources/connections/webhook-job.ts'
import { listConversations } from './contract.ts'

let app: TestApp
let shop: Shop
let call: Client
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  const scopes = ['customers:read', 'connections:read', 'connections:write'] as const
  call = app.as(await makeKey(app, shop.profileId, scopes))
  await shop.connected('social_ads')
  await call(syncChatTemplates)
  const crm = await shop.connected('crmsuite')
  // The queued syncs of both accounts are not needed here.
  await app.service.db.deleteFrom('jobs').execute()
  await inTransaction(app.service.db, async (tx) => {
    const { profileId } = shop
    const profile = (await findProfileRef(tx, { profileId }))!
    const connection = (await findConnection(tx, { profileId, id: crm.id }))!
    const now = app.service.clock.now()
    const contacts = lines.map(({ email, crm: phone, country }) => ({
      type: 'contact' as const,
      externalId: email,
      updatedAt: '2026-09-01T10:00:00.000Z',
      person: { ...emptyPerson(), contactId: email, email, phone, country },
    }))
    await applyRecords(tx, { service: app.service, profile, connection, now }, contacts)
  })
  await app.service.processor.settled(shop.profileId)
})
afterAll(() => app.close())

/** The number in the CRM, and the formats in which the chat app may report it. */
const lines = [
  { email: 'mx@example.com', country: 'MX', crm: '55 1234 5678', chat: ['5215512345678', '525512345678'] },
  { email: 'mx1@example.com', country: null, crm: '+5215587654321', chat: ['525587654321', '5215587654321'] },
  { email: 'br@example.com', country: 'BR', crm: '(31) 99688-3193', chat: ['553196883193', '5531996883193'] },
  {
    email: 'br8@example.com',
    country: null,
    crm: '+55 31 9688-4444',
    chat: ['5531996884444', '553196884444'],
  },
  { email: 'ar@example.com', country: 'AR', crm: '11 2345-6789', chat: ['5491123456789', '541123456789'] },
  {
    email: 'ar9@example.com',
    country: null,
    crm: '+54 9 351 15 234-5678',
    chat: ['5493512345678', '543512345678'],
  },
]

async function write(args: Record<string, unknown>): Promise<void> {
  await triggerSandbox(app, 'social_ads', 'act', { action: 'message', args: { channel: 'chatapp', ...args } })
  await drainJobs(app.service, [processWebhook])
  await app.service.processor.settled(shop.profileId)
}

it.each(lines)('$crm and $chat are one person in one conversation', async ({ email, chat }) => {
  const [customer] = (await call(listCustomers, { query: { search: email } })).data
  const customerId = customer!.customer_id
  const query = { customer_id: customerId }
  for (const [index, person] of chat.entries()) {
    await write({ person, at: `2026-10-0${index + 1}T10:00:00Z` })
    const { data } = await call(listConversations, { query })
    expect(data.map(({ messages }) => messages)).toEqual([index + 1])
  }
  await write({ person: chat[1], by: 'business', in_app: true, at: '2026-10-03T10:00:00Z' })
  const [conversation] = (await call(listConversations, { query })).data
  expect(conversation!.first_reply_at).toBe('2026-10-03T10:00:00.000Z')
  for (const number of chat)
    expect((await call(listCustomers, { query: { search: `+${number}` } })).data).toMatchObject([
      { customer_id: customerId },
    ])
})

it('a Brazilian landline and the mobile with a 9 in front stay two people', async () => {
  await write({ person: '553133334444', at: '2026-10-05T10:00:00Z' })
  await write({ person: '5531933334444', at: '2026-10-05T11:00:00Z' })
  const replies = await Promise.all(
    ['+553133334444', '+5531933334444'].map((search) => call(listCustomers, { query: { search } })),
  )
  const ids = replies.map(({ data }) => data.map(({ customer_id }) => customer_id))
  expect(ids.map((customerIds) => customerIds.length)).toEqual([1, 1])
  expect(ids[0]).not.toEqual(ids[1])
})
