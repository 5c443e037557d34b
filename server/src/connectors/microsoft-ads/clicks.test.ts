/** Resolves clicks to ads through the click id report. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { openSession, type RunningSandbox, startSandbox, syncAllPages } from '../../../test/sandbox-server.ts'
import type { Session, SetAside, Sync, SyncRecord } from '../connector.ts'
import { microsoftAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === microsoftAds)!
let at: RunningSandbox
let session: Session
beforeEach(async () => {
  at = await startSandbox(spec)
  session = { ...(await openSession(spec, at)), currency: 'USD' }
})
afterEach(() => at.close())

const act = (action: string, args: Record<string, unknown> = {}) => at.sandbox.act(action, args)
const only = <T extends SyncRecord['type']>(records: readonly SyncRecord[], type: T) =>
  records.filter((record): record is Extract<SyncRecord, { type: T }> => record.type === type)

test('each click has its campaign, ad group and ad, in both spellings of its id', async () => {
  const msclkid = '5b2e4f0ac9d01a3e2c1b2d4e6f7a8b9c'
  const planted = await act('click', { msclkid: '5B2E4F0A-C9D0-1A3E-2C1B-2D4E6F7A8B9C', day: '2026-02-27' })
  const clicks = only(await syncAllPages(microsoftAds, session), 'ad_click')
  const matching = clicks.filter(({ externalId }) => externalId.replaceAll('-', '') === msclkid)
  expect(matching.map(({ externalId }) => externalId)).toEqual([
    msclkid,
    '5b2e4f0a-c9d0-1a3e-2c1b-2d4e6f7a8b9c',
  ])
  expect(matching[0]).toEqual({
    type: 'ad_click',
    externalId: msclkid,
    clickIdKind: 'msclkid',
    day: '2026-02-27',
    campaignExternalId: planted.campaign_id,
    adSetExternalId: planted.ad_set_id,
    adExternalId: planted.ad_id,
  })
  const ofAssets = clicks.filter(({ adExternalId }) => adExternalId === null)
  expect(ofAssets.length).toBeGreaterThan(0)
  expect(ofAssets.every(({ adSetExternalId }) => adSetExternalId !== null)).toBe(true)
})

test('an account without the click report is still synced, and the refusal is reported', async () => {
  const http: Session['http'] = {
    ...at.http,
    async send(request) {
      if (!String(request.body).includes('MSClickId')) return at.http.send(request)
      const body = {
        OperationErrors: [{ Code: 2011, ErrorCode: 'ReportingServiceInvalidReportType', Message: 'No.' }],
      }
      return { status: 400, headers: {}, bytes: Buffer.from(JSON.stringify(body)) }
    },
  }
  const setAside: SetAside[] = []
  const connector = {
    sync: {
      async page(...args: Parameters<Sync['page']>) {
        const page = await microsoftAds.sync!.page(...args)
        setAside.push(...(page.setAside ?? []))
        return page
      },
    },
  }
  const records = await syncAllPages(connector, { ...session, http })
  expect(setAside.filter(({ kind }) => kind === 'click')[0]).toMatchObject({
    kind: 'click',
    externalId: session.accountId,
    reason: 'The report of clicks cannot be read: No.',
  })
  expect(only(records, 'delivery').length).toBeGreaterThan(50)
  expect(only(records, 'ad_click')).toEqual([])
})
