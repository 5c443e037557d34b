/** Rows of offline sales, sent as the page sends them: credited to the ad, and stored once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendEvents } from '../../server/src/features/facts/events/contract.ts'
import { getCustomer, listCustomers } from '../../server/src/features/insights/customers/contract.ts'
import { listCampaigns } from '../../server/src/features/insights/reports/contract.ts'
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestProfile } from '../../server/test/make.ts'

/** Imported by URL, because the pages have their own compiler options. */
const at = (file: string): string => new URL(`../src/pages/imports/${file}`, import.meta.url).href
type Row = { line: number; problem: string | null; event: object | null }
const { parseTable } = (await import(at('csv-records.ts'))) as {
  parseTable: (text: string) => { number: number; fields: string[] }[]
}
const { guessMapping } = (await import(at('sale-fields.ts'))) as {
  guessMapping: (headings: string[]) => object
}
const { readSales } = (await import(at('sales-csv.ts'))) as {
  readSales: (records: object[], settings: object) => Row[]
}

let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile(['events:write', 'campaigns:read', 'analytics:read', 'customers:read'])
  await makeAdWorld(profile.app, profile.profileId, profile.call)
})
afterAll(() => profile?.app.close())

const head = 'date;amount;order;email;consent'
function eventsOf(rows: string[]): object[] {
  const [headings, ...records] = parseTable([head, ...rows].join('\n'))
  const sales = readSales(records, {
    mapping: guessMapping(headings!.fields),
    eventName: 'payment_received',
    needsAmount: true,
    currency: 'EUR',
    consent: null,
    timeZone: 'Europe/Madrid',
    dateOrder: 'dmy',
    decimalMark: ',',
  })
  expect(sales.map(({ problem }) => problem)).toEqual(rows.map(() => null))
  return sales.map(({ event }) => event!)
}

const importRows = async (rows: string[]) => {
  const { data } = await profile.call(sendEvents, { body: { events: eventsOf(rows) } })
  await profile.app.service.processor.settled(profile.profileId)
  return data.results.map(({ status }) => status)
}

it('credits a till sale to the ad that brought the customer, once however often it is imported', async () => {
  const { app, call, profileId } = profile
  const customer = { anonymous_id: 'eve', user_traits: { email: 'eve@example.com' } }
  const touch = { event_name: 'visit', timestamp: '2026-05-08T10:00:00Z', ad: { ad_id: 'A3' }, ...customer }
  await call(sendEvents, { body: { events: [touch] } })
  const query = { date_from: '2026-05-08', date_to: '2026-05-31', model: 'last_touch' as const }
  const revenue = async () => {
    await app.service.processor.settled(profileId)
    const { data } = await call(listCampaigns, { query })
    return data.map((row) => [row.platform_id, row.outcome_value]).filter(([, amount]) => amount !== 0)
  }
  const rows = [
    '8/5/2026;"1.129,90";R-1;eve@example.com;no',
    '9/5/2026 18:30;20;R-2;eve@example.com;',
    '10/5/2026;5;;eve@example.com;',
  ]
  expect(await importRows(rows)).toEqual(['accepted', 'accepted', 'accepted'])
  expect(await revenue()).toEqual([['C2', 1154.9]])
  expect(await importRows(rows)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect(await revenue()).toEqual([['C2', 1154.9]])
  expect(await importRows([rows[1]!.replace(';20;', ';21;')])).toEqual(['updated'])
  expect(await revenue()).toEqual([['C2', 1155.9]])
})

it('stores the consent of a row', async () => {
  const { call } = profile
  await importRows(['20/5/2026;7;R-3;fay@example.com;no'])
  const [customer] = (await call(listCustomers, { query: { search: 'fay@example.com' } })).data
  const { data } = await call(getCustomer, { params: { id: customer!.customer_id } })
  expect(data.consent).toMatchObject({ ad_user_data: 'denied', ad_personalization: 'denied' })
})
