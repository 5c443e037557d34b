import { expect, test } from 'vitest'
import { firstWorldDay, worldAccounts, worldCampaigns, worldDays, worldDelivery } from './ads.ts'
import { listDays, localTime } from './days.ts'
import { SEED } from './mode.ts'
import { sandboxPeople } from './world.ts'

const now = new Date('2026-03-02T15:30:00Z')
const later = new Date('2026-03-12T15:30:00Z')

function spendByDay(seed: string, at: Date): Map<string, number> {
  const [account] = worldAccounts(seed, 'social')
  const today = localTime(at, account.timezone)
  const spend = new Map<string, number>()
  for (const campaign of worldCampaigns(seed, 'social', account, '2026-03-02')) {
    for (const ad of campaign.adSets.flatMap(({ ads }) => ads)) {
      for (const day of listDays(firstWorldDay(today), today.day)) {
        const delivery = worldDelivery(seed, account, campaign, ad, day, today)
        if (delivery) spend.set(day, (spend.get(day) ?? 0) + delivery.spendMinor)
      }
    }
  }
  return spend
}

test('the same seed gives the same people and another seed gives others', () => {
  expect(sandboxPeople('one', now)).toEqual(sandboxPeople('one', now))
  const emails = new Set(sandboxPeople('one', now).map(({ email }) => email))
  expect(sandboxPeople('two', now).some(({ email }) => emails.has(email))).toBe(false)
})

test('a phone is shared only by a returning person, under the same name', () => {
  const shared = [...Map.groupBy(sandboxPeople(SEED, now), ({ phone }) => phone).values()].filter(
    ({ length }) => length > 1,
  )
  expect([5, 6]).toContain(shared.length)
  for (const pair of shared) {
    expect(pair).toHaveLength(2)
    expect(new Set(pair.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBe(1)
    expect(new Set(pair.map(({ email }) => email)).size).toBe(2)
  }
})

test('people are distinguished by id, e-mail and browser', () => {
  const people = sandboxPeople('one', now)
  expect(people.length).toBeGreaterThan(400)
  for (const key of ['id', 'email', 'anonymousId'] as const) {
    expect(new Set(people.map((person) => person[key])).size).toBe(people.length)
  }
})

test('nothing happens in the future, and moving the clock only adds to the history', () => {
  const before = sandboxPeople('one', now)
  for (const { arrivedAt, stages, payments } of before) {
    const moments = [
      arrivedAt,
      ...stages.map(({ at }) => at),
      ...payments.flatMap((p) => [p.at, p.refund?.at ?? p.at]),
    ]
    for (const moment of moments) expect(moment.getTime()).toBeLessThanOrEqual(now.getTime())
  }
  const after = new Map(sandboxPeople('one', later).map((person) => [person.id, person]))
  const stillThere = before.filter(({ id }) => after.has(id))
  expect(stillThere.length).toBeGreaterThan(before.length * 0.8)
  for (const person of stillThere) {
    const same = after.get(person.id)!
    expect(same.email).toBe(person.email)
    expect(same.stages.slice(0, person.stages.length)).toEqual(person.stages)
    expect(same.payments.length).toBeGreaterThanOrEqual(person.payments.length)
  }
})

test('every ad click names an ad that exists, its ad set and its campaign', () => {
  const ads = new Map(
    (['social', 'engine'] as const).flatMap((platform) =>
      worldCampaigns('one', platform, worldAccounts('one', platform)[0], '2026-03-02').flatMap(({ adSets }) =>
        adSets.flatMap((adSet) => adSet.ads.map((ad) => [ad.id, ad] as const)),
      ),
    ),
  )
  const clicks = sandboxPeople('one', now).flatMap(({ click }) => click ?? [])
  expect(clicks.length).toBeGreaterThan(200)
  for (const click of clicks) {
    expect(ads.get(click.adId)).toMatchObject({ adSetId: click.adSetId, campaignId: click.campaignId })
  }
})

test('the world contains each outcome and each kind of payment', () => {
  const people = sandboxPeople('one', now)
  const stages = new Set(people.flatMap((person) => person.stages.map(({ stage }) => stage)))
  expect(stages.size).toBe(7)
  const payments = people.flatMap((person) => person.payments)
  expect(new Set(payments.map(({ provider }) => provider)).size).toBe(3)
  expect(new Set(payments.map(({ refund }) => refund?.kind ?? 'kept')).size).toBe(3)
  expect(payments.some(({ status }) => status === 'failed')).toBe(true)
})

test('delivery covers 120 days, varies by weekday, and only its last days are restated', () => {
  const first = spendByDay('one', now)
  expect(first.size).toBe(worldDays)
  const mean = (days: string[]) => days.reduce((sum, day) => sum + first.get(day)!, 0) / days.length
  const settled = [...first.keys()].slice(50, 106)
  const isSaturday = (day: string) => new Date(day).getUTCDay() === 6
  const isMonday = (day: string) => new Date(day).getUTCDay() === 1
  expect(mean(settled.filter(isSaturday))).toBeGreaterThan(mean(settled.filter(isMonday)) * 1.2)
  const second = spendByDay('one', later)
  const changed = [...first.keys()].filter((day) => second.has(day) && second.get(day) !== first.get(day))
  expect(changed).toEqual(['2026-02-28', '2026-03-01', '2026-03-02'])
  for (const day of changed) expect(second.get(day)!).toBeGreaterThan(first.get(day)!)
})

test.each(['2026-03-02T15:30:00Z', '2026-11-15T12:00:00Z', '2027-05-11T12:00:00Z'])(
  'what the ads earned until %s is a return that a business could have',
  (moment) => {
    const at = new Date(moment)
    const spend = (['social', 'engine'] as const)
      .flatMap((platform) => {
        const [account] = worldAccounts(SEED, platform)
        const today = localTime(at, account.timezone)
        const days = listDays(firstWorldDay(today), today.day)
        return worldCampaigns(SEED, platform, account, today.day).flatMap((campaign) =>
          campaign.adSets
            .flatMap(({ ads }) => ads)
            .flatMap((ad) => days.map((day) => worldDelivery(SEED, account, campaign, ad, day, today))),
        )
      })
      .reduce((sum, delivery) => sum + (delivery?.spendMinor ?? 0), 0)
    const earned = { ads: 0, others: 0 }
    for (const { click, payments } of sandboxPeople(SEED, at))
      for (const { status, amountMinor, refund } of payments)
        if (status === 'succeeded')
          earned[click === null ? 'others' : 'ads'] += amountMinor - (refund?.amountMinor ?? 0)
    expect(earned.ads / spend).toBeGreaterThan(1.5)
    expect(earned.ads / spend).toBeLessThan(6)
    const unattributed = earned.others / (earned.ads + earned.others)
    expect(unattributed).toBeGreaterThan(0.15)
    expect(unattributed).toBeLessThan(0.35)
  },
)
