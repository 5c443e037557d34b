/** Status and budget changes at Microsoft Advertising, and its auto-tagging setting. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import { lastDays, openSession, type RunningSandbox, startSandbox } from '../../../test/sandbox-server.ts'
import { type AdEntityRecord, ProviderError, type Session, type SyncPage } from '../connector.ts'
import { microsoftAds } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === microsoftAds)!
let at: RunningSandbox
let session: Session
beforeEach(async () => {
  at = await startSandbox(spec)
  session = { ...(await openSession(spec, at)), currency: 'USD' }
})
afterEach(() => at.close())

const { readStatus, setStatus, readBudget, setBudget } = microsoftAds.ads!
const refusalOf = async (promise: Promise<unknown>) => {
  const outcome = await promise.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ProviderError)
  return outcome as ProviderError
}

/** The pages of campaigns, ad groups and ads, which come before all reports. */
async function structure(): Promise<{ pages: SyncPage[]; entities: AdEntityRecord[] }> {
  const pages: SyncPage[] = []
  let cursor: string | null = null
  do {
    const page: SyncPage = await microsoftAds.sync!.page(session, lastDays, cursor)
    pages.push(page)
    cursor = page.cursor
  } while (cursor !== null && JSON.parse(cursor).step < 3)
  const records = pages.flatMap((page) => page.records)
  return {
    pages,
    entities: records.filter((record): record is AdEntityRecord => record.type === 'ad_entity'),
  }
}
const campaignOf = async (name: string) =>
  (await structure()).entities.find((entity) => entity.level === 'campaign' && entity.name === name)!

test('each level is paused and resumed below its parent', async () => {
  const { entities } = await structure()
  const campaign = entities.find((entity) => entity.level === 'campaign' && entity.status === 'ACTIVE')!
  const adSet = entities.find(
    (entity) => entity.campaignExternalId === campaign.externalId && entity.level === 'ad_set',
  )!
  const ad = entities.find((entity) => entity.adSetExternalId === adSet.externalId)!
  const lists = ['Campaigns', 'AdGroups', 'Ads']
  for (const [index, target] of [campaign, adSet, ad].entries()) {
    expect(await readStatus(session, target)).toMatchObject({ status: 'ACTIVE', campaignStatus: 'ACTIVE' })
    await setStatus(session, target, 'PAUSED')
    expect((await readStatus(session, target)).status).toBe('PAUSED')
    expect(at.sandbox.writes().at(-1)).toMatchObject({
      list: lists[index],
      id: target.externalId,
      status: 'Paused',
    })
    await setStatus(session, target, 'ACTIVE')
  }
  await setStatus(session, campaign, 'PAUSED')
  expect(await readStatus(session, ad)).toMatchObject({ status: 'ACTIVE', campaignStatus: 'PAUSED' })
})

test('an asset group of Performance Max is paused like an ad group', async () => {
  const campaign = await campaignOf('PMax | Accessories')
  const { asset_group_id: externalId } = await at.sandbox.act('asset_group', {
    campaign_id: campaign.externalId,
  })
  const target = {
    level: 'ad_set',
    externalId: String(externalId),
    campaignExternalId: campaign.externalId,
  } as const
  await setStatus(session, target, 'PAUSED')
  expect((await readStatus(session, target)).status).toBe('PAUSED')
  expect(at.sandbox.writes()).toMatchObject([{ list: 'AssetGroups', id: externalId, status: 'Paused' }])
})

test('a missing entity is not found, and nothing is written', async () => {
  const campaign = await campaignOf('Search | Kitchens')
  const targets = [
    { level: 'campaign', externalId: '999999999' },
    { level: 'campaign', externalId: 'x' },
    { level: 'ad_set', externalId: '999999999', campaignExternalId: campaign.externalId },
    { level: 'ad', externalId: '999999999', adSetExternalId: null },
  ] as const
  for (const target of targets)
    expect((await refusalOf(setStatus(session, target, 'PAUSED'))).reason).toBe('not_found')
  expect(at.sandbox.writes()).toEqual([])
})

test('a budget keeps its type; a shared budget is not the campaign’s', async () => {
  const { externalId, dailyBudgetMinor } = await campaignOf('Audience | Homeowners')
  const target = { level: 'campaign', externalId } as const
  expect(dailyBudgetMinor).toBe(6050)
  await setBudget(session, target, { type: 'daily', amountMinor: 7512 })
  expect(at.sandbox.writes()).toMatchObject([{ list: 'Campaigns', id: externalId, budget: 75.12 }])
  expect(await readBudget(session, target)).toMatchObject({
    dailyBudgetMinor: 7512,
    lifetimeBudgetMinor: null,
  })
  await at.sandbox.act('budget', { campaign_id: externalId, type: 'LifetimeBudgetStandard' })
  expect(await readBudget(session, target)).toMatchObject({
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: 7512,
  })
  expect(await campaignOf('Audience | Homeowners')).toMatchObject({
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: 7512,
  })
  expect((await refusalOf(setBudget(session, target, { type: 'daily', amountMinor: 8000 }))).reason).toBe(
    'rejected',
  )
  await at.sandbox.act('budget', { campaign_id: externalId, shared_id: '77' })
  expect(await readBudget(session, target)).toMatchObject({
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: null,
  })
  expect((await refusalOf(readBudget(session, { ...target, level: 'ad_set' }))).reason).toBe('rejected')
  expect(at.sandbox.writes()).toHaveLength(1)
})

test('a change that is refused inside a 200 is an error with the platform’s message', async () => {
  const { externalId } = await campaignOf('Search | Kitchens')
  const refusing: Session = {
    ...session,
    http: {
      ...at.http,
      async send(request) {
        if (request.method !== 'PUT') return at.http.send(request)
        const error = {
          Code: 1164,
          ErrorCode: 'CampaignServiceCannotUpdateSharedBudget',
          Message: 'It is shared.',
        }
        const bytes = Buffer.from(JSON.stringify({ PartialErrors: [null, { ...error, Index: 0 }] }))
        return { status: 200, headers: {}, bytes }
      },
    },
  }
  const target = { level: 'campaign', externalId } as const
  expect(await refusalOf(setBudget(refusing, target, { type: 'daily', amountMinor: 13_000 }))).toMatchObject({
    reason: 'rejected',
    providerCode: 'CampaignServiceCannotUpdateSharedBudget',
    providerMessage: 'It is shared.',
  })
})

test('an account without auto-tagging is reported until it is enabled', async () => {
  const noticesOf = (pages: SyncPage[]) =>
    pages.flatMap(({ setAside }) => setAside ?? []).filter(({ kind }) => kind === 'account_setting')
  await at.sandbox.act('auto_tagging', { on: false })
  const off = (await structure()).pages
  expect(noticesOf(off)).toMatchObject([{ externalId: 'MSCLKIDAutoTaggingEnabled' }])
  await at.sandbox.act('auto_tagging', { on: true })
  const on = (await structure()).pages
  expect(noticesOf(on)).toEqual([])
  expect(on.flatMap(({ cleared }) => cleared ?? [])).toEqual(['MSCLKIDAutoTaggingEnabled'])
})
