/** Pausing, resuming and budgets at LinkedIn. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { lastDays, openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import { type AdEntityRecord, ProviderError, type Session, type SyncPage } from '../connector.ts'
import { linkedinAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === linkedinAds)!
let at: RunningSandbox
let session: Session
beforeEach(async () => {
  at = await startSandbox(spec)
  session = await openSession(spec, at)
})
afterEach(() => at.close())

const { readStatus, setStatus, readBudget, setBudget } = linkedinAds.ads!
const refusalOf = async (promise: Promise<unknown>) => {
  const outcome = await promise.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ProviderError)
  return outcome as ProviderError
}

/** The lists of groups, campaigns and creatives, which come before all reports. */
async function structure(): Promise<AdEntityRecord[]> {
  const entities: AdEntityRecord[] = []
  let cursor: string | null = null
  do {
    const page: SyncPage = await linkedinAds.sync!.page(session, lastDays, cursor)
    entities.push(...page.records.filter((record) => record.type === 'ad_entity'))
    cursor = page.cursor
  } while (cursor !== null && JSON.parse(cursor).step < 3)
  return entities
}

test('a campaign group, a campaign and a creative are paused and resumed', async () => {
  const entities = await structure()
  const group = entities.find((entity) => entity.level === 'campaign' && entity.status === 'ACTIVE')!
  const campaign = entities.find((entity) => entity.campaignExternalId === group.externalId)!
  const creative = entities.find((entity) => entity.adSetExternalId === campaign.externalId)!
  for (const [target, write] of [
    [group, { list: 'adCampaignGroups', id: group.externalId, status: 'PAUSED' }],
    [campaign, { list: 'adCampaigns', id: campaign.externalId, status: 'PAUSED' }],
    [
      creative,
      { list: 'creatives', id: `urn:li:sponsoredCreative:${creative.externalId}`, intendedStatus: 'PAUSED' },
    ],
  ] as const) {
    expect(await readStatus(session, target)).toMatchObject({ status: 'ACTIVE', campaignStatus: 'ACTIVE' })
    await setStatus(session, target, 'PAUSED')
    expect(at.sandbox.writes().at(-1)).toEqual(write)
    expect((await readStatus(session, target)).status).toBe('PAUSED')
    await setStatus(session, target, 'ACTIVE')
  }
  await setStatus(session, group, 'PAUSED')
  expect(await readStatus(session, creative)).toMatchObject({ status: 'ACTIVE', campaignStatus: 'PAUSED' })
  expect((await structure()).find((entity) => entity.externalId === group.externalId)!.status).toBe('PAUSED')
})

test('a budget keeps its type and is sent as text in the account’s currency', async () => {
  const campaign = (await structure()).find(
    (entity) => entity.level === 'ad_set' && entity.dailyBudgetMinor !== null,
  )!
  const target = { level: 'ad_set', externalId: campaign.externalId } as const
  const amountMinor = campaign.dailyBudgetMinor! + 105
  await setBudget(session, target, { type: 'daily', amountMinor })
  expect(await readBudget(session, target)).toMatchObject({
    dailyBudgetMinor: amountMinor,
    lifetimeBudgetMinor: null,
  })
  expect(at.sandbox.writes()).toMatchObject([
    { dailyBudget: { amount: expect.any(String), currencyCode: campaign.currency } },
  ])
  const other = setBudget(session, target, { type: 'lifetime', amountMinor })
  expect((await refusalOf(other)).reason).toBe('rejected')
  expect(at.sandbox.writes()).toHaveLength(1)
})

test('a read-only consent is reported as a missing permission, a missing entity as not found', async () => {
  const [group] = await structure()
  await at.sandbox.act('untick_permission', { scope: 'rw_ads' })
  const reader = await openSession(spec, at)
  expect((await refusalOf(setStatus(reader, group!, 'PAUSED'))).reason).toBe('permission_missing')
  for (const target of [
    { level: 'campaign', externalId: '999999999' },
    { level: 'ad', externalId: '999999999' },
    { level: 'ad_set', externalId: '../x' },
  ] as const)
    expect((await refusalOf(setStatus(session, target, 'PAUSED'))).reason).toBe('not_found')
  expect(at.sandbox.writes()).toEqual([])
})
