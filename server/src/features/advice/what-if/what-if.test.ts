/** Compares a what-if preview with the reports after saving the same change, in a random world. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../test/ad-world.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import {
  makeKey,
  makeOwnProfile,
  type OwnProfile,
  refusalOf,
  startTestProfile,
} from '../../../../test/make.ts'
import { printedSeed } from '../../../../test/seed.ts'
import { jobs } from '../../../app.ts'
import { seededRandom } from '../../../platform/seeded-random.ts'
import { saveChannelRules } from '../../attribution/channel-rules/contract.ts'
import { updateAttributionSettings } from '../../attribution/crediting/contract.ts'
import { listGoals } from '../../corrections/goals/contract.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { listCampaigns } from '../../insights/reports/contract.ts'
import { whatIf } from './contract.ts'

const DAY = 86_400_000
const range = { date_from: '2026-02-01', date_to: '2026-04-30' }
const random = seededRandom(printedSeed('what-if'))
const pick = <T>(...values: T[]): T => random.pick(values)

let shop: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  shop = await startTestProfile([
    'events:write',
    'campaigns:read',
    'conversions:read',
    'tracking:read',
    'tracking:write',
  ])
  await saveRecords(shop.app, shop.profileId, adStructure)
  const events = Array.from({ length: 400 }, (_, index) => ({
    event_name: pick('visit', 'visit', 'visit', 'payment_received', 'order_placed'),
    timestamp: new Date(Date.UTC(2026, 0, 1) + random.int(0, 119) * DAY).toISOString(),
    idempotency_key: `k${index}`,
    user_traits: { email: `p${random.int(0, 39)}@example.com` },
    properties: { value: random.int(0, 9_999) / 100, currency: 'EUR' },
    ...pick(
      { ad: { ad_id: pick('A1', 'A2', 'A3') } },
      { click_ids: { gclid: 'g' } },
      { utm: { source: 'partner', medium: 'referral' } },
      { session_start: true, page: { url: 'https://shop.example/', referrer: 'https://lists.example/' } },
      {},
    ),
  }))
  for (let from = 0; from < events.length; from += 100)
    await shop.call(sendEvents, { body: { events: events.slice(from, from + 100) } })
  await shop.app.service.processor.settled(shop.profileId)
})
afterAll(() => shop.app.close())

type Changes = { model?: 'last_touch'; changed_model?: 'linear' } & Partial<
  Record<'lookback_days' | 'channel_rules' | 'without_goal_ids', string>
>
const rehearse = async (changes: Changes) =>
  (await shop.call(whatIf, { query: { ...range, ...changes } })).data
const figuresOf = (row: { outcome_count: number; outcome_credit: number; outcome_value: number | null }) => ({
  outcome_count: row.outcome_count,
  outcome_credit: row.outcome_credit,
  outcome_value: row.outcome_value,
})

async function reported(model: 'last_touch' | 'linear') {
  const campaigns = (await shop.call(listCampaigns, { query: { ...range, model, level: 'campaign' } })).data
  const channels = (await shop.call(getChannels, { query: { ...range, model } })).data
  return {
    campaigns: new Map(campaigns.map((row) => [row.campaign_id, figuresOf(row)])),
    channels: new Map(channels.map((row) => [row.channel, figuresOf(row)])),
  }
}

async function checkSide(
  side: 'before' | 'after',
  model: 'last_touch' | 'linear',
  changes: Changes,
  before?: Awaited<ReturnType<typeof rehearse>>,
) {
  const rehearsal = before ?? (await rehearse(changes))
  const report = await reported(model)
  for (const { campaign, ...row } of rehearsal.campaigns)
    expect([campaign.name, row[side]]).toEqual([campaign.name, report.campaigns.get(campaign.id) ?? nothing])
  const namedChannels = rehearsal.channels.filter(({ channel }) => channel !== 'unknown')
  for (const { channel, ...row } of namedChannels)
    expect([channel, row[side]]).toEqual([channel, report.channels.get(channel) ?? nothing])
  return rehearsal
}
const nothing = { outcome_count: 0, outcome_credit: 0, outcome_value: 0 }

it('before equals the current report, after equals the report once the settings are saved', async () => {
  const changes = { model: 'last_touch', changed_model: 'linear', lookback_days: '4' } as const
  const rehearsed = await checkSide('before', 'last_touch', changes)
  expect(rehearsed.campaigns.length).toBeGreaterThan(0)
  expect(rehearsed.total.before).toEqual(rehearsed.total.after)
  const parts = [rehearsed.no_campaign, ...rehearsed.campaigns].map((row) =>
    Math.round(row.value_change! * 100),
  )
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(0)
  await shop.call(updateAttributionSettings, { body: { lookback_days: 4 } })
  await drainJobs(shop.app.service, jobs)
  await checkSide('after', 'linear', changes, rehearsed)
})

it('previews a channel rule exactly as it applies when saved', async () => {
  const channel_rules = 'host:lists.example=email,source:partner=affiliate'
  const rehearsed = await checkSide('before', 'last_touch', { channel_rules })
  const affiliate = rehearsed.channels.find(({ channel }) => channel === 'affiliate')!
  expect(affiliate.before.outcome_count).toBe(0)
  expect(affiliate.after.outcome_count).toBeGreaterThan(0)
  expect(rehearsed.campaigns).toEqual([])
  const overrides = [
    { kind: 'host', value: 'lists.example', channel: 'email' },
    { kind: 'source', value: 'partner', channel: 'affiliate' },
  ] as const
  await shop.call(saveChannelRules, { body: { overrides: [...overrides] } })
  await drainJobs(shop.app.service, jobs)
  await checkSide('after', 'last_touch', {}, rehearsed)
})

it('excluding a goal removes its conversions, and nothing is stored', async () => {
  const goal = (await shop.call(listGoals)).data.find(({ source_event_names }) =>
    source_event_names.includes('payment_received'),
  )!
  const tables = ['credits', 'credit_daily', 'ad_paths', 'restatements', 'outbox_events']
  const count = async () => {
    const counts = tables.map((table) => `(select count(*) from ${table} where profile_id = $1)`)
    return (await shop.app.pool.query(`select ${counts.join(', ')}`, [shop.profileId])).rows
  }
  const stored = await count()
  const { total } = await rehearse({ without_goal_ids: goal.id, channel_rules: 'host:new.example=display' })
  expect(total.after.outcome_count).toBeLessThan(total.before.outcome_count)
  expect(await count()).toEqual(stored)
})

it('no goal can be excluded if several sources report one order', async () => {
  const goal = (await shop.call(listGoals)).data.find(({ attribution_eligible }) => attribution_eligible)!
  const paid = {
    properties: { value: 10, currency: 'EUR', order_id: 'O-1' },
    user_traits: { email: 'p1@example.com' },
  }
  const payment = { event_name: 'payment_received', idempotency_key: 'first', ...paid }
  const other = await makeOwnProfile(shop.app, ['events:write', 'campaigns:read'])
  const call = shop.app.as(other.key)
  await call(sendEvents, { body: { events: [payment] } })
  await shop.app.service.processor.settled(other.profileId)
  const previewWithoutGoal = () => call(whatIf, { query: { ...range, without_goal_ids: goal.id } })
  expect((await previewWithoutGoal()).data.total.before.outcome_count).toBe(0)
  await shop.app.pool.query(`update conversions set duplicate_of = id where profile_id = $1`, [
    other.profileId,
  ])
  expect(await refusalOf(previewWithoutGoal())).toMatchObject({ status: 409, code: 'invalid_state' })
})

it('rejects invalid parameters, and another profile sees only its own credit', async () => {
  for (const wrong of [
    'lists.example',
    'host:lists.example=nowhere',
    'site:x=email',
    'host:%E0%A4%A=email',
    ',',
  ])
    expect(await refusalOf(rehearse({ channel_rules: wrong }))).toMatchObject({ status: 400 })
  expect(await refusalOf(rehearse({ lookback_days: '0' }))).toMatchObject({ status: 400 })
  const other = await makeOwnProfile(shop.app)
  const call = shop.app.as(await makeKey(shop.app, other.profileId, ['campaigns:read']))
  const { data } = await call(whatIf, { query: { ...range, lookback_days: '9' } })
  expect([data.campaigns, data.channels, data.total.before]).toEqual([[], [], nothing])
})

it('comparisons of other workspaces wait for their turn, and are not refused', async () => {
  const others = await Promise.all([1, 2, 3].map(async () => makeOwnProfile(shop.app, ['campaigns:read'])))
  const compare = (call: OwnProfile['call']) =>
    call(whatIf, { query: { ...range, lookback_days: '9' } }).then(
      () => 200,
      (error) => error.status,
    )
  const answers = await Promise.all([shop.call, shop.call, ...others.map(({ call }) => call)].map(compare))
  // A second one of the same workspace is refused.
  expect(answers.toSorted()).toEqual([200, 200, 200, 200, 429])
})
