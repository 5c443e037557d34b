import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { makeShop, moveClock, type Shop } from '../../../../test/make-shop.ts'
import { plantGeo, plantRegions, plantSplit } from '../../../../test/planted/experiments.ts'
import { jobs } from '../../../app.ts'
import { listLiftedAds } from '../top-performers/queries/lifted-ads.ts'
import { listExperiments } from './contract.ts'
import { placeboRatio, regionRatio } from './placebo-rules.ts'
import * as rules from './rules.ts'

describe('a reading', () => {
  it('of a simulated split test detects it, and covers the true effect with autocorrelated days', () => {
    const strong = plantSplit({ seed: 1, effect: 0.6, rho: 0 })
    expect(rules.splitReading('m', strong.treatment, strong.control)!.low).toBeGreaterThan(0)
    const covered = (worlds: number, options: { rho: number; days?: number }) => {
      let coveredCount = 0
      for (let seed = 0; seed < worlds; seed++) {
        const world = plantSplit({ seed, effect: 0.1, ...options })
        const reading = rules.splitReading('m', world.treatment, world.control)!
        if (reading.low <= 0.1 && reading.high >= 0.1) coveredCount++
      }
      return coveredCount
    }
    expect(covered(60, { rho: 0.6 })).toBeGreaterThanOrEqual(54)
    // Covers 92 of these 100; 68 if days were treated as independent.
    expect(covered(100, { rho: 0.8, days: 84 })).toBeGreaterThanOrEqual(88)
  })
  it('of regions covers the true effect with autocorrelated days', () => {
    let coveredCount = 0
    for (let seed = 0; seed < 60; seed++) {
      const { before, during } = plantGeo({ seed, effect: 0, rho: 0.6 })
      const reading = rules.geoReading('m', before, during)!
      if (reading.low <= 0 && reading.high >= 0) coveredCount++
    }
    expect(coveredCount).toBeGreaterThanOrEqual(54)
    expect(rules.geoReading('m', [], [])).toBeNull()
  })
  it('of regions with different growth or a random walk is inconclusive; a large lift of stable regions is not', () => {
    const verdicts = (world: { effect: number; rho: number; growth?: number; wander?: number }) => {
      let count = 0
      for (let seed = 0; seed < 60; seed++) {
        const { before, during } = plantGeo({ seed, before: 182, ...world })
        if (geoVerdict(before, during) !== 'inconclusive') count++
      }
      return count
    }
    expect(verdicts({ effect: 0, rho: 0.3, growth: 0.001 })).toBeLessThanOrEqual(3)
    expect(verdicts({ effect: 0, rho: 0.3, wander: 0.02 })).toBeLessThanOrEqual(3)
    expect(verdicts({ effect: 0.2, rho: 0.3 })).toBeGreaterThanOrEqual(57)
    const short = plantGeo({ seed: 1, effect: 0.5, rho: 0, before: 110 })
    expect(placeboRatio(short.before, short.during)).toBeNull()
    expect(placeboRatio([], [])).toBeNull()
  })
})

it('a region without outcomes just before the study is still compared with its own earlier weeks', () => {
  const { before, during, regions } = plantRegions({ seed: 1, effect: 1, regions: 4 })
  const silent = before.map((pair, day) => ({
    ...pair,
    treatment: day < before.length - during.length ? pair.treatment : 0,
  }))
  expect(placeboRatio(silent, during)).toBeGreaterThan(0)
  // It has no size to compare other regions with.
  expect(regionRatio(silent, during, regions)).toBeNull()
})

describe('regions without the experiment', () => {
  const countProven = (world: Omit<Parameters<typeof plantRegions>[0], 'seed' | 'regions'>) => {
    const count = { inTime: 0, both: 0 }
    for (let seed = 0; seed < 60; seed++) {
      const { before, during, regions } = plantRegions({ seed, regions: 8, ...world })
      if (geoVerdict(before, during) !== 'positive' && geoVerdict(before, during) !== 'negative') continue
      count.inTime++
      if (regionRatio(before, during, regions)! > 1) count.both++
    }
    return count
  }
  it('that change at the same time, as with a new season, prevent a verdict', () => {
    const { inTime, both } = countProven({ effect: 0, shock: 0.15 })
    expect(inTime).toBeGreaterThan(12)
    expect(both).toBeLessThanOrEqual(3)
  })
  it('that do not change allow a large lift', () => {
    expect(countProven({ effect: 0.3 }).both).toBeGreaterThanOrEqual(50)
  })
  it('must be at least four', () => {
    const { before, during, regions } = plantRegions({ seed: 1, effect: 1, regions: 4 })
    expect(regionRatio(before, during, regions)).toBeGreaterThan(1)
    expect(regionRatio(before, during, regions.slice(1))).toBeNull()
    const flat = regions.map((region) => ({ ...region, before: region.before.map(() => 0) }))
    expect(regionRatio(before, during, flat)).toBeNull()
  })
})

/** The verdict of a completed study. */
const geoVerdict = (before: rules.Pair[], during: rules.Pair[]) =>
  rules.decide(
    'complete',
    {
      sampleRatioP: null,
      prePeriodOk: null,
      divergentDelivery: null,
      placeboRatio: placeboRatio(before, during),
      regionRatio: null,
    },
    rules.geoReading('m', before.slice(-56), during),
    'geo',
  ).verdict

describe('a verdict', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const times = { startsAt: at(1), endsAt: at(20), observationEndsAt: null, canceledAt: null }
  const passed = {
    sampleRatioP: 0.4,
    prePeriodOk: true,
    divergentDelivery: false,
    placeboRatio: null,
    regionRatio: null,
  }
  const reading = { metric: 'm', effect: 0.2, low: 0.1, high: 0.3, level: 0.95 }
  it('waits for the end of the study and for late conversions', () => {
    expect([0, 5, 22, 27].map((day) => rules.statusOf(times, at(day), 7))).toEqual([
      'planned',
      'running',
      'observing',
      'complete',
    ])
    expect(rules.statusOf(times, at(27), 12)).toBe('observing')
    expect(rules.readableFrom(times, 12)).toEqual(at(32))
    expect(rules.readableFrom({ ...times, observationEndsAt: at(40) }, 12)).toEqual(at(40))
    expect(rules.decide('observing', passed, reading, 'split').verdict).toBeNull()
    expect(rules.decide('complete', passed, reading, 'split').verdict).toBe('positive')
    expect(rules.decide('complete', passed, { ...reading, low: -0.1 }, 'split').verdict).toBe('inconclusive')
    expect(rules.decide('complete', passed, { ...reading, low: -0.4, high: -0.1 }, 'split').verdict).toBe(
      'negative',
    )
    const geo = (placeboRatio: number | null) =>
      rules.decide('complete', { ...passed, placeboRatio }, reading, 'geo').verdict
    expect([null, 0.9, 1.1].map(geo)).toEqual(['inconclusive', 'inconclusive', 'positive'])
    const among = (regionRatio: number | null) => {
      const checks = { ...passed, placeboRatio: 1.1, regionRatio }
      const { verdict } = rules.decide('complete', checks, reading, 'geo')
      return [verdict, rules.provesCause('geo', verdict, checks)]
    }
    expect([null, 0.9, 1.1].map(among)).toEqual([
      ['positive', false],
      ['inconclusive', false],
      ['positive', true],
    ])
    expect(rules.provesCause('lift', 'negative', passed)).toBe(true)
    expect(rules.provesCause('lift', 'inconclusive', passed)).toBe(false)
    expect(rules.provesCause('split', 'positive', { regionRatio: 2 })).toBe(false)
  })
  it('is "invalid" if the split is broken or the cells differed before the study', () => {
    const p = rules.sampleRatioP([
      { share: 90, count: 84_300 },
      { share: 10, count: 9_950 },
    ])!
    expect(rules.decide('complete', { ...passed, sampleRatioP: p }, reading, 'split').verdict).toBe('invalid')
    expect(rules.decide('complete', { ...passed, prePeriodOk: false }, reading, 'split').verdict).toBe(
      'invalid',
    )
  })
})

it('delivery to cells far from the planned shares is reported', () => {
  const cells = (...impressions: number[]) => impressions.map((count) => ({ share: 50, impressions: count }))
  expect(rules.isDivergent(cells(5000, 5200))).toBe(false)
  expect(rules.isDivergent(cells(3000, 7000))).toBe(true)
  expect(rules.isDivergent(cells(0, 0))).toBeNull()
})

describe('an existing verdict', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const times = { startsAt: at(1), endsAt: at(20), observationEndsAt: null, canceledAt: null }
  const computed = {
    verdict: 'positive' as const,
    reason: 'Above.',
    readable_from: null,
    basis: '[1,{},null,null]',
  }
  const basis = (reading: number, at = times) => JSON.stringify([reading, {}, at.endsAt, at.canceledAt])
  const previous = rules.updateDecision(null, { ...computed, basis: basis(1) }, times, at(28))!
  const none = { ...computed, verdict: null, reason: 'Not over.' }

  it('is not reached before our own figures are complete', () => {
    const synced = { lagDays: 7, syncedAt: at(28) }
    expect(rules.missingData('split', times, synced)).toBeNull()
    expect(rules.missingData('split', times, { ...synced, syncedAt: at(26) })).toMatch(/not been synced/)
    expect(rules.missingData('split', times, { ...synced, syncedAt: null })).toMatch(/not been synced/)
    expect(rules.missingData('geo', times, { ...synced, lagDays: null })).toMatch(/not known yet/)
    expect(rules.missingData('lift', times, { lagDays: null, syncedAt: null })).toBeNull()
  })

  it('stays if the conversion lag grows or figures are temporarily missing', () => {
    expect(previous).toMatchObject({ verdict: 'positive', decided_at: at(28).toISOString() })
    expect(rules.updateDecision(previous, { ...none, basis: basis(1) }, times, at(29))).toBe(previous)
    expect(rules.updateDecision(previous, { ...none, basis: basis(2) }, times, at(29))).toBe(previous)
    expect(rules.updateDecision(null, { ...none, basis: basis(1) }, times, at(25))).toBeNull()
  })

  it('of an earlier release gets its missing `proves` if it has the grade lift', () => {
    const withProves = { ...computed, proves: true, basis: basis(1) }
    expect(rules.updateDecision(previous, withProves, times, at(29))).toEqual({ ...previous, proves: true })
    expect(rules.updateDecision(previous, { ...withProves, proves: false }, times, at(29))).toBe(previous)
  })

  it('loses the grade lift if restated figures do not support it', () => {
    const since = rules.updateDecision(null, { ...computed, proves: true, basis: basis(1) }, times, at(28))!
    expect(rules.updateDecision(since, { ...since, basis: basis(2) }, times, at(30))).toBe(since)
    expect(rules.updateDecision(since, { ...since, proves: false }, times, at(30))).toBe(since)
    const without = { ...computed, proves: false, basis: basis(2) }
    expect(rules.updateDecision(since, without, times, at(30))).toEqual({
      ...without,
      reason: 'Above. It was positive with the grade lift since 2026-01-28; the figures were restated.',
      decided_at: at(30).toISOString(),
    })
  })

  it('changes with its basis and reports the previous verdict', () => {
    const restated = { ...computed, verdict: 'inconclusive' as const, reason: 'Zero.', basis: basis(2) }
    expect(rules.updateDecision(previous, restated, times, at(29))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'Zero. It was positive since 2026-01-28; the figures were restated.',
    })
    const later = { ...times, endsAt: at(60) }
    const extended = rules.updateDecision(previous, { ...none, basis: basis(1, later) }, later, at(29))
    expect(extended).toMatchObject({
      verdict: null,
      reason: 'Not over. It was positive since 2026-01-28; the platform reports another end date.',
    })
  })
})

describe('experiments at the platforms', () => {
  let app: TestApp
  let shop: Shop
  beforeAll(async () => {
    app = await startTestApp()
    shop = await makeShop(app)
    await shop.connected('social_ads')
    await shop.connected('engine_ads')
    await drainJobs(app.service, jobs)
  })
  afterAll(() => app.close())
  const read = async () =>
    (await shop.owner.call(listExperiments, { params: { workspaceId: shop.workspaceId } })).data

  it('are read when the account is connected, and each simulated one gets the expected verdict', async () => {
    const rows = await read()
    const byName = Object.fromEntries(rows.map((row) => [row.name, row]))
    expect(byName['Do kitchen ads bring buyers']).toMatchObject({
      kind: 'lift',
      status: 'complete',
      verdict: 'positive',
      truth_grade: 'lift',
      own_reading: null,
      platform_reading: { metric: 'buyers', effect: 0.322 },
    })
    expect(byName['Lift with a pixel that lost people']).toMatchObject({
      verdict: 'invalid',
      truth_grade: null,
    })
    expect(byName['Audience test of this week']).toMatchObject({ status: 'running', verdict: null })
    expect(byName['Showroom test that was stopped']).toMatchObject({ status: 'canceled', verdict: null })
    expect(byName['Consultations in the north']!.kind).toBe('geo')
    expect(byName['Continuous measurement']).toBeUndefined()
    expect(byName['Broad match against exact']).toMatchObject({
      provider: 'engine_ads',
      kind: 'split',
      truth_grade: null,
      platform_reading: { metric: 'conversions' },
    })
    expect(byName['New bidding']).toMatchObject({ status: 'running', verdict: null })
    expect(byName.Draft).toBeUndefined()
  })

  it('wait for the conversion lag of the profile', async () => {
    const waitingDays = async () => {
      const { ends_at: ends, readable_from: from } = (await read()).find(
        (row) => row.name === 'Audience test: homeowners against lookalike',
      )!
      return (Date.parse(from!) - Date.parse(ends!)) / 86_400_000
    }
    expect(await waitingDays()).toBe(rules.USUAL_LAG_DAYS)
    const slow = JSON.stringify({
      cash: [0, 0, 0, 10, 500, 0, 0, 0, 0, 0, 0, 90],
      pipeline: new Array(12).fill(0),
    })
    await app.pool.query(
      `insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at)
       values ($1, '2026-01-01', 'done', 9, 9, 1, $2, now())`,
      [shop.profileId, slow],
    )
    expect(await waitingDays()).toBe(11)
    // A study with a verdict does not return to observing.
    expect((await read()).find((row) => row.name === 'Do kitchen ads bring buyers')).toMatchObject({
      status: 'complete',
      verdict: 'positive',
    })
    await app.pool.query(`delete from ad_score_runs where profile_id = $1`, [shop.profileId])
  })

  it('that are positive lift studies grade their ads lift', async () => {
    const { rows } = await app.pool.query<{ id: string; external_id: string }>(
      `select a.id, c.external_id from ad_entities a
       join ad_entities c on c.profile_id = a.profile_id and c.id = a.campaign_id
       where a.profile_id = $1 and a.level = 'ad'`,
      [shop.profileId],
    )
    const studied = (await read())
      .filter((row) => row.truth_grade === 'lift' && row.verdict === 'positive')
      .flatMap((row) => row.cells.filter((cell) => !cell.is_control))
    const campaigns = new Set(studied.flatMap((cell) => cell.campaigns))
    const lifted = await listLiftedAds(app.service.db, { profileId: shop.profileId })
    const expected = rows.filter((row) => campaigns.has(row.external_id)).map((row) => row.id)
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(rows.length)
    expect([...lifted].sort()).toEqual(expected.sort())
    const other = await makeShop(app)
    expect(await listLiftedAds(app.service.db, { profileId: other.profileId })).toEqual(new Set())
  })

  it('keep their rows when read again, and get their verdict when due', async () => {
    const before = await read()
    await moveClock(app, 30 * 86_400)
    await runSchedule(app.service, jobs, 'experiments.queue_reads')
    await drainJobs(app.service, jobs)
    const after = await read()
    expect(after.map((row) => row.id).sort()).toEqual(before.map((row) => row.id).sort())
    expect(after.find((row) => row.name === 'Audience test of this week')).toMatchObject({
      status: 'complete',
    })
  })
})
