/** A day with more creatives than a LinkedIn report can have rows. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { lastDays, openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { DeliveryRecord, Session } from '../connector.ts'
import { linkedinAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector.provider === 'linkedin_ads')!
/** After the three lists: the report by creative is the third. */
const byCreative = 5

let at: RunningSandbox
beforeEach(async () => {
  at = await startSandbox(spec)
})
afterEach(() => at.close())

async function readReport(session: Session, cursor: string): Promise<{ days: DeliveryRecord[] }> {
  const days: DeliveryRecord[] = []
  for (let next: string | null = cursor; next !== null && JSON.parse(next).step === byCreative; ) {
    const page = await linkedinAds.sync!.page(session, lastDays, next)
    days.push(...page.records.filter((record) => record.type === 'delivery'))
    next = page.cursor
  }
  return { days }
}

test('a single day beyond the limit is split by campaign with tunnelled queries', async () => {
  const session = await openSession(spec, at)
  await at.sandbox.act('fill_report', { campaigns: 151, creatives: 100 })
  const after = JSON.stringify([{ since: '2026-02-25', until: '2026-02-25' }])
  const cursor = JSON.stringify({ currency: 'USD', step: byCreative, after })
  const { days } = await readReport(session, cursor)
  const ids = new Set(days.map(({ externalId }) => externalId))
  expect(ids.size).toBe(days.length)
  expect(days.filter(({ impressions }) => impressions === 10)).toHaveLength(15_100)
  const { tunnelled } = await at.sandbox.act('look', {})
  expect(tunnelled).toContain('/adAnalytics')
})
