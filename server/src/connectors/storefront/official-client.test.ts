/** Our documents against the schema, the official client against the sandbox, the sandbox against what the platform refuses. */
import { createAdminApiClient } from '@shopify/admin-api-client'
import { adminSchema } from '@whence/sandbox/storefront/admin-schema.ts'
import { createStorefrontSandbox } from '@whence/sandbox/storefront/sandbox.ts'
import { parse, validate } from 'graphql'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { sandboxFetch } from '../../../test/sandbox-fetch.ts'
import { sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { ProviderApp, Session } from '../connector.ts'
import { apiVersions } from '../versions.ts'
import { storefront } from './connector.ts'
import * as queries from './queries.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2026-03-01', untilDay: '2026-03-10' }
const shop = 'harbor-and-pine.myshopify.com'
const bare = sandboxApp('storefront')
const app: ProviderApp = {
  ...bare,
  authorizeBaseUrl: `${bare.authorizeBaseUrl}/{shop}`,
  apiBaseUrl: `${bare.apiBaseUrl}/{shop}`,
}
const { options } = sandboxOptions(() => now)
const sandbox = createStorefrontSandbox(options)
const http = sandboxOutbound(sandbox)
let session: Session

beforeAll(async () => {
  const { token } = await connectInSandbox(storefront, http, app, { now, shop })
  session = { http, app, token, accountId: shop }
})
beforeEach(() => sandbox.act('reset', {}))

const client = (apiVersion: string = apiVersions.storefront.version) =>
  createAdminApiClient({
    storeDomain: shop,
    apiVersion,
    accessToken: session.token.accessToken,
    customFetchApi: sandboxFetch(sandbox, `/${shop}`),
    logger: () => {},
  })

test.each(Object.entries(queries))('%s is valid by the schema', (_, document) => {
  expect(validate(adminSchema, parse(document)).map(({ message }) => message)).toEqual([])
})

test('the official client reads the shop, and orders page by page with our document', async () => {
  const { data } = await client().request(queries.shopQuery)
  expect(data.shop.myshopifyDomain).toBe(shop)
  const ids: string[] = []
  type Page = {
    orders: { nodes: { legacyResourceId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
  }
  let after: string | null = null
  do {
    const variables = { first: 25, after, query: "updated_at:>='2026-01-01T00:00:00Z'" } as Record<
      string,
      unknown
    >
    const reply = await client().request<Page>(queries.ordersQuery, { variables })
    expect(reply.errors).toBeUndefined()
    const { nodes, pageInfo } = reply.data!.orders
    for (const node of nodes) ids.push(node.legacyResourceId)
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
  expect(ids.length).toBeGreaterThan(25)
  expect(new Set(ids).size).toBe(ids.length)
})

describe('the sandbox refuses what the platform refuses:', () => {
  test.each([
    ['a field that is not there', 'query Q { shop { name colour } }', {}],
    ['an argument that is not there', 'query Q { orders(first: 1, colour: "red") { nodes { id } } }', {}],
    ['a wrong type', 'query Q($id: ID!) { order(id: $id) { id } }', { id: null }],
    ['no GraphQL', 'query Q { shop {', {}],
    ['more than 250 at once', 'query Q { orders(first: 251) { nodes { id } } }', {}],
    ['too costly a page', queries.ordersQuery, { first: 250, after: null, query: '' }],
  ])('%s', async (_, document, variables) => {
    const { data, errors } = await client().request(document, { variables })
    expect(data ?? null).toBeNull()
    expect(errors?.graphQLErrors?.length).toBeGreaterThan(0)
  })

  test('an unknown version; the client itself refuses a missing one', async () => {
    const { errors } = await client('2026-13').request(queries.shopQuery)
    expect(errors?.networkStatusCode).toBe(404)
    expect(() => client('')).toThrow()
  })
})

test('a page that is too expensive is requested in halves', async () => {
  const all = await readEverything(storefront, session, window)
  let most = 25
  const stingy: Session['http'] = {
    async send(request) {
      const { variables } = JSON.parse(String(request.body)) as { variables: { first: number } }
      most = variables.first
      if (variables.first <= 7) return http.send(request)
      const errors = [{ message: 'Too costly', extensions: { code: 'MAX_COST_EXCEEDED' } }]
      return { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify({ errors })) }
    },
    async close() {},
  }
  const halves = await readEverything(storefront, { ...session, http: stingy }, window)
  expect(most).toBe(7)
  expect(halves.records).toEqual(all.records)
})

test('a denied field is reported once and affects nothing else', async () => {
  const complete = await storefront.sync!.page(session, window, null)
  await sandbox.act('deny_fields', { fields: ['Order.customer', 'Order.email', 'CustomerVisit.referrerUrl'] })
  const page = await storefront.sync!.page(session, window, null)
  expect(page.records).toHaveLength(complete.records.length)
  expect(page.setAside!.map(({ kind, externalId }) => `${kind} ${externalId}`)).toEqual(
    expect.arrayContaining(['field orders.nodes.email', 'field orders.nodes.customer']),
  )
  expect(new Set(page.setAside!.map(({ externalId }) => externalId)).size).toBe(page.setAside!.length)
  const payments = page.records.filter((record) => record.type === 'payment')
  expect(payments.every(({ person }) => person.email === null && person.contactId === null)).toBe(true)
})

test('what the whole answer hangs on is still a refusal', async () => {
  await sandbox.act('deny_fields', { fields: ['QueryRoot.orders'] })
  await expect(storefront.sync!.page(session, window, null)).rejects.toMatchObject({
    reason: 'permission_missing',
  })
})

test('pages are sorted by last change; a cursor is used only within one instant', async () => {
  for (let index = 0; index < 60; index++) await sandbox.act('new_order', { amount_minor: 100 })
  const seen: string[] = []
  let cursor: string | null = null
  const afters: (string | null)[] = []
  do {
    const page = await storefront.sync!.page(session, window, cursor)
    for (const record of page.records) if (record.type === 'payment') seen.push(record.externalId)
    cursor = page.cursor
    if (cursor !== null) afters.push((JSON.parse(cursor) as { after: string | null }).after)
  } while (cursor !== null)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThan(60)
  expect(afters.filter((after) => after === null).length).toBeGreaterThan(0)
  expect(afters.filter((after) => after !== null).length).toBeGreaterThan(0)
})
