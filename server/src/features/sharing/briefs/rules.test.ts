import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GoalTarget } from '../../corrections/goals/contract.ts'
import type { PeriodFigures, ReportFacts } from '../client-reports/facts.ts'
import { computeContributions, limitContributions } from './contribution-rules.ts'
import { type BriefFacts, precedingDays, writeSentences } from './rules.ts'

const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
const line = (id: string, credited: number | null) => ({
  ...{ id, platformId: id, name: `Name ${id.slice(-2)}`, spend: 0, payments: 1, roas: null, cac: null },
  credited,
})

/** Campaigns with their credited revenue in minor units; the remainder is unattributed. */
function makePeriod(
  credited: readonly number[],
  unattributed: number,
  overrides: Partial<PeriodFigures['totals']> = {},
): PeriodFigures {
  const revenue = credited.reduce((sum, value) => sum + value, unattributed)
  return {
    days: { from: '2026-05-08', to: '2026-05-14' },
    totals: {
      revenue,
      spend: 0,
      credited: 0,
      payments: 1,
      creditedPayments: 1,
      totalRoas: null,
      roas: null,
      cac: null,
      ...overrides,
    },
    campaigns: credited.map((value, index) => line(uuid(index), value)),
    unattributed,
  }
}

function facts(now: PeriodFigures, before: PeriodFigures, overrides: Partial<BriefFacts> = {}): BriefFacts {
  const report: ReportFacts = {
    profile: { name: 'Hazel', currency: 'EUR', timezone: 'Europe/Madrid' },
    model: 'last_touch',
    now,
    before: { ...before, days: { from: '2026-05-01', to: '2026-05-07' } },
    days: [],
    reconciliation: { total: 0, credited: 0, unattributed: 0, delta: 0, leftOut: 0 },
    computedThrough: '2026-05-15T00:00:00.000Z',
    staleSources: [],
    isStale: false,
    resultHash: '',
  }
  return {
    report,
    workspaceId: uuid(1),
    profileId: uuid(2),
    contributions: computeContributions(report.now, report.before),
    problems: { count: 0, valueMinor: null },
    goal: null,
    pacing: null,
    restated: null,
    usual: { revenue: false, roas: false },
    ...overrides,
  }
}
const textsOf = (briefFacts: BriefFacts, language: 'en' | 'es' = 'en') =>
  writeSentences(briefFacts, language).map(({ text }) => text)

describe('the contributions', () => {
  it('sum exactly to the change of revenue, however many are shown', () => {
    const amounts = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 60 })
    fc.assert(
      fc.property(
        amounts,
        amounts,
        fc.integer(),
        fc.integer(),
        (now, before, unattributed, unattributedBefore) => {
          const [after, earlier] = [makePeriod(now, unattributed), makePeriod(before, unattributedBefore)]
          const all = computeContributions(after, earlier)!
          const sum = (rows: typeof all) => rows.reduce((total, { change }) => total + change, 0)
          expect(sum(all)).toBe(after.totals.revenue! - earlier.totals.revenue!)
          expect(sum(limitContributions(all))).toBe(sum(all))
          expect(limitContributions(all).length).toBeLessThanOrEqual(21)
        },
      ),
    )
  })

  it('are null if a part has no exchange rate or the parts do not add up', () => {
    const period = makePeriod([100], 0)
    expect(computeContributions({ ...period, campaigns: [line(uuid(0), null)] }, period)).toBeNull()
    expect(computeContributions(period, { ...period, unattributed: 1 })).toBeNull()
  })
})

describe('the text', () => {
  it('names the contribution to most of the change, without claiming a cause', () => {
    const texts = textsOf(facts(makePeriod([90_000, 20_000], 5000), makePeriod([30_000, 19_000], 5000)))
    expect(texts).toEqual([
      'Revenue rose by €610.00 (+113.0%) to €1,150.00.',
      'Most of the change comes from “Name 00”: +€600.00, now €900.00.',
    ])
    expect(texts.join(' ')).not.toMatch(/because|due to/)
  })

  it('uses "largest part" if none is more than half, and names both sides if they offset each other', () => {
    const [largest] = textsOf(facts(makePeriod([400, 400, 400], 0), makePeriod([100, 110, 120], 0))).slice(1)
    expect(largest).toBe('The largest part of the change comes from “Name 00”: +€3.00, now €4.00.')
    const [, both] = textsOf(facts(makePeriod([10_000, 0], 10), makePeriod([0, 9000], 0)))
    expect(both).toBe(
      'Gains and losses offset each other: “Name 00” gained most (+€100.00), “Name 01” lost most (-€90.00).',
    )
  })

  it('reports that the change cannot be broken down if its parts are unknown', () => {
    const briefFacts = facts(makePeriod([900], 0), makePeriod([100], 0), { contributions: null })
    expect(textsOf(briefFacts)[1]).toMatch(/^The change of revenue cannot be broken down by campaign: /)
    expect(textsOf(briefFacts, 'es')[1]).toMatch(
      /^El cambio de los ingresos no se puede desglosar por campaña: /,
    )
  })

  it('names revenue without a campaign as such, and links it to its report', () => {
    const briefFacts = facts(makePeriod([100], 9000), makePeriod([100], 1000))
    const mover = writeSentences(briefFacts, 'en')[1]!
    expect(mover.text).toBe('Most of the change comes from revenue without a campaign: +€80.00, now €90.00.')
    expect(mover.parts.find(({ link }) => link !== null)!.link).toEqual({
      page: 'unattributed',
      campaign_id: null,
      date_from: '2026-05-08',
      date_to: '2026-05-14',
      api: '/campaigns/unattributed?date_from=2026-05-08&date_to=2026-05-14&model=last_touch',
    })
  })

  it('has at most five sentences, what matters most first', () => {
    const briefFacts = facts(
      makePeriod([500], 0, { spend: 1000, roas: 0.5 }),
      makePeriod([1000], 0, { spend: 500, roas: 2 }),
      {
        problems: { count: 2, valueMinor: 12_345 },
        pacing: { provider: 'social_ads', percent: 131.4, month: '2026-05' },
        restated: { valueMinor: -3000, spendMinor: 0 },
      },
    )
    expect(textsOf(briefFacts)).toEqual([
      'Revenue fell by €5.00 (-50.0%) to €5.00.',
      'Most of the change comes from “Name 00”: -€5.00, now €5.00.',
      'Ad spend rose by €5.00 to €10.00, and ad ROAS fell from 2.00× to 0.50×.',
      'The data check found 2 problems; up to €123.45 is affected.',
      'Spend at Meta is at 131% of what the budget for May expects by now.',
    ])
    const target: GoalTarget = {
      metric: 'count',
      period: 'month',
      target: 120,
      date_from: '2026-05-01',
      date_to: '2026-05-31',
      through: '2026-05-14',
      actual: 30,
      expected: 54,
      status: 'behind',
    }
    const goal = { name: 'Lead of ana@example.com', target }
    expect(writeSentences({ ...briefFacts, goal }, 'en')[4]).toMatchObject({
      tone: 'bad',
      text: 'Goal “Lead of …” has 30 of 120 this month; 54 was due by 14 May 2026.',
    })
    const cost = { ...goal, target: { ...target, metric: 'cac' as const, actual: 12.5, target: 10 } }
    expect(textsOf({ ...briefFacts, goal: cost })[4]).toBe(
      'Goal “Lead of …” costs €12.50 each this month; the target is €10.00.',
    )
    const stale = {
      ...briefFacts,
      report: { ...briefFacts.report, isStale: true, staleSources: ['Main account'] },
    }
    const texts = textsOf(stale)
    expect(texts).toHaveLength(5)
    expect(texts[0]).toBe('The data of Main account is not up to date, so these figures can still change.')
    expect(textsOf({ ...briefFacts, pacing: null })[4]).toBe(
      'Figures of 1 May 2026 – 7 May 2026 changed after these days were closed: revenue -€30.00.',
    )
  })

  it('is the same in Spanish', () => {
    const briefFacts = facts(
      makePeriod([500], 0, { spend: 1000, roas: 0.5 }),
      makePeriod([1000], 0, { spend: 500, roas: 2 }),
      {
        problems: { count: 1, valueMinor: null },
        pacing: { provider: 'engine_ads', percent: 60, month: '2026-05' },
      },
    )
    expect(textsOf(briefFacts, 'es')).toEqual([
      'Los ingresos bajaron 5,00 € (-50,0 %), hasta 5,00 €.',
      'La mayor parte del cambio viene de «Name 00»: -5,00 €, ahora 5,00 €.',
      'La inversión subió 5,00 €, hasta 10,00 €, y el ROAS de anuncios bajó de 2,00× a 0,50×.',
      'La revisión de los datos encontró 1 problema.',
      'El gasto en Google Ads está al 60 % de lo que el presupuesto de mayo prevé hasta hoy.',
    ])
  })

  it('is the concatenation of its parts, and contains no personal value', () => {
    const now = makePeriod([9000], 0)
    now.campaigns[0]!.name = 'Win back ana@example.com'
    const sentences = writeSentences(facts(now, makePeriod([1000], 0)), 'en')
    for (const { text, parts } of sentences) expect(parts.map((part) => part.text).join('')).toBe(text)
    expect(JSON.stringify(sentences)).not.toContain('@')
  })

  it('reports days without spend and payments', () => {
    const nothing = makePeriod([], 0, { payments: 0 })
    expect(textsOf(facts(nothing, nothing))).toEqual(['There was no ad spend and no payment on these days.'])
  })
})

it('compares with the preceding period of the same length', () => {
  expect(precedingDays({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    from: '2026-01-29',
    to: '2026-02-28',
  })
  expect(precedingDays({ from: '2026-03-01', to: '2026-03-01' })).toEqual({
    from: '2026-02-28',
    to: '2026-02-28',
  })
})

it('a change of the usual size is neither good nor bad news', () => {
  const [now, before] = [makePeriod([900], 0), makePeriod([1000], 0)]
  const [revenue, mover] = writeSentences(facts(now, before), 'en')
  expect([revenue!.tone, mover!.tone]).toEqual(['bad', 'bad'])
  const usual = { usual: { revenue: true, roas: true } }
  const [calm, calmMover] = writeSentences(facts(now, before, usual), 'en')
  expect([calm!.tone, calmMover!.tone]).toEqual(['neutral', 'neutral'])
  expect(calm!.text).toMatch(/ Changes of this size are usual here\.$/)
})
