/** Clicks and fields of the Ads API, checked against its official client and its reference. */

import { sandboxPeople } from '@whence/sandbox/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import type { Session, SyncRecord } from '../connector.ts'
import { searchStream } from './calls.ts'
import { clickFields } from './clicks.ts'
import { engineAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === engineAds)!
let running: RunningSandbox
let session: Session
beforeAll(async () => {
  running = await startSandbox(spec)
  session = await openSession(spec, running)
})
afterAll(() => running.close())

test('clicks of the last 90 days are read day by day, each with its campaign, ad group and ad', async () => {
  const records: SyncRecord[] = []
  const days: string[] = []
  const http: Session['http'] = {
    ...running.http,
    send(request) {
      const day = /click_view WHERE segments\.date = '([\d-]+)'/.exec(String(request.body ?? ''))?.[1]
      if (day !== undefined) days.push(day)
      return running.http.send(request)
    },
  }
  let cursor: string | null = null
  do {
    const page = await engineAds.sync!.page(
      { ...session, http },
      { sinceDay: '2025-10-01', untilDay: '2026-03-02' },
      cursor,
    )
    records.push(...page.records)
    cursor = page.cursor
  } while (cursor !== null)
  expect(days).toHaveLength(90)
  expect([days[0], days.at(-1), new Set(days).size]).toEqual(['2025-12-03', '2026-03-02', 90])
  const clicks = new Map(
    records.flatMap((record) => (record.type === 'ad_click' ? [[record.externalId, record]] : [])),
  )
  const brought = sandboxPeople('conformance', running.clock.now).filter(
    ({ source, arrivedAt }) => source === 'engine' && arrivedAt >= new Date('2025-12-05T00:00:00Z'),
  )
  expect(brought.length).toBeGreaterThan(20)
  for (const { click } of brought)
    expect(clicks.get(click!.value)).toMatchObject({
      clickIdKind: 'gclid',
      campaignExternalId: click!.campaignId,
      adSetExternalId: click!.adSetId,
      adExternalId: click!.adId,
    })
})

test.each([
  ['no day', `SELECT ${clickFields} FROM click_view`, 'EXPECTED_FILTERS_ON_DATE_RANGE'],
  [
    'two days',
    `SELECT ${clickFields} FROM click_view WHERE segments.date BETWEEN '2026-03-01' AND '2026-03-02'`,
    'DATE_RANGE_TOO_WIDE',
  ],
  [
    'a day that is too long ago',
    `SELECT ${clickFields} FROM click_view WHERE segments.date = '2025-12-01'`,
    'DATE_RANGE_TOO_WIDE',
  ],
  ['a field that does not exist', 'SELECT campaign.id, campaign.mood FROM campaign', 'UNRECOGNIZED_FIELD'],
  ['such a field within an ad', 'SELECT ad_group_ad.ad.mood FROM ad_group_ad', 'UNRECOGNIZED_FIELD'],
  ['such a metric', 'SELECT campaign.id, metrics.joy FROM campaign', 'UNRECOGNIZED_FIELD'],
])('a query with %s is refused', async (_, query, code) => {
  await expect(searchStream(session, session.accountId, query)).rejects.toMatchObject({
    reason: 'rejected',
    providerCode: code,
  })
})
