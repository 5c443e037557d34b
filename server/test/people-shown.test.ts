/** Every response that can contain a person's name, email or phone costs 3 units, and each person shown is logged. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../src/app.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import { listPersonAccess } from '../src/platform/audit/contract.ts'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from './make.ts'
import { sampleOf } from './samples.ts'
import { send } from './tenants.ts'

type Node = { [name: string]: unknown }
const personal = new Set(['email', 'phone', 'first_name', 'last_name', 'field_data'])

/** Whether a value of the schema can contain a name, an email or a phone. */
function canHoldPerson(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if (Array.isArray(node)) return node.some(canHoldPerson)
  const { properties, ...otherMembers } = node as Node
  if (otherMembers['x-personal'] === true) return true
  const members = Object.entries((properties ?? {}) as Node)
  return (
    members.some(([name, value]) => personal.has(name) || canHoldPerson(value)) ||
    canHoldPerson(Object.values(otherMembers))
  )
}

/** Only profile routes: customers belong to profiles, and members of a workspace see each other. */
const ofProfiles = routes.map((route) => route.entry).filter(({ access }) => access.kind === 'profile')
const shows = (entry: Endpoint) =>
  canHoldPerson(z.toJSONSchema(entry.reply, { io: 'input', unrepresentable: 'any' }))

/** Person-level for other reasons: the file of a person's data, a file that a person sent, a message or mail to a person, a calendar named after its owner. */
const byNature = ['downloadCustomerDataExport', 'getChatMedia', 'listCalendars', 'sendMail', 'sendMessage']

it('a route is person-level exactly if its response can contain a person', () => {
  const expected = [...ofProfiles.filter(shows).map((entry) => entry.name), ...byNature]
  expect(expected.length).toBeGreaterThan(10)
  const marked = ofProfiles.filter((entry) => entry.personLevel !== undefined).map((entry) => entry.name)
  expect(marked.sort()).toEqual(expected.sort())
})

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let key: string
let blindKey: string
let paymentId: string
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '1000' })
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
  const scopes = [
    'payments:read',
    'payments:write',
    'identity:read',
    'identity:write',
    'conversions:read',
  ] as const
  key = await makeKey(app, profileId, [...scopes, 'customers:read', 'events:write'])
  blindKey = await makeKey(app, profileId, scopes)
  await app.as(key)(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: 'invoice-1',
      properties: { value: 100, currency: 'EUR' },
      user_traits: { email: 'payer@example.com', first_name: 'Pia', last_name: 'Payer' },
    },
  })
  await app.service.processor.settled(profileId)
  const { rows } = await app.pool.query<{ id: string }>('select id from payments where profile_id = $1', [
    profileId,
  ])
  paymentId = rows[0]!.id
})
afterAll(() => app.close())

const now = new Date()
const range = {
  from: new Date(now.getTime() - 86_400_000).toISOString(),
  to: new Date(now.getTime() + 3_600_000).toISOString(),
}
const inputs: Record<string, { query?: object; body?: object }> = {
  listPayments: { query: range },
  setInstallment: { body: { is_installment: true } },
  setPayer: { body: { email: 'payer@example.com' } },
  recordRefund: { body: { amount: 10 } },
  deleteRefund: {},
}

async function call(name: string, credential: string) {
  const entry = ofProfiles.find((candidate) => candidate.name === name)!
  const sample = sampleOf(entry)
  if ('payment_id' in sample.params) sample.params.payment_id = paymentId
  Object.assign(sample.query, inputs[name]?.query)
  if (sample.body !== null) sample.body = { ...inputs[name]?.body }
  return send(app, entry, `Bearer ${credential}`, sample)
}

const remaining = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining'))
const logged = async () => (await owner.call(listPersonAccess, { params: { workspaceId } })).data

it('payments, payer and refunds log each person shown, for callers who may see people', async () => {
  for (const name of Object.keys(inputs)) {
    const before = await logged()
    const answer = await call(name, key)
    expect([name, answer.status < 300, answer.text.includes('payer@example.com')]).toEqual([name, true, true])
    const [row, ...rest] = await logged()
    expect(rest).toEqual(before)
    expect(row).toMatchObject({
      route: name,
      profile_id: profileId,
      row_count: 1,
      actor: { kind: 'api_key' },
    })
    expect(answer.text).toContain(row!.customer_ids[0])
  }
})

it('callers without permission see no people, and nothing is logged', async () => {
  const before = await logged()
  const answer = await call('listPayments', blindKey)
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain('payer@example.com')
  expect(await logged()).toEqual(before)
})

it.each(ofProfiles.filter((entry) => entry.personLevel !== undefined).map((entry) => entry.name))(
  '%s costs 3 units',
  async (name) => {
    const first = remaining(await call(name, key))
    expect(first - remaining(await call(name, key))).toBe(3)
  },
)
