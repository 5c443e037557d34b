import { describe, expect, it } from 'vitest'
import { plantCreatives } from '../../../../test/planted/creatives.ts'
import { wilson } from '../../../platform/statistics/wilson.ts'
import { benjaminiHochberg, cramersV } from './lift-rules.ts'
import { findArchetypes, findDimensions, findPatterns, mostSpentFirst } from './patterns-rules.ts'
import { type Traits, traitsOf } from './traits-rules.ts'

const facts = {
  format: null,
  aspectRatio: null,
  durationSeconds: null,
  cardCount: null,
  ctaType: null,
  title: null,
  body: null,
  landingHost: null,
}

describe('the traits of an ad', () => {
  it('are null if the platform reports nothing', () => {
    expect(Object.values(traitsOf(facts)).every((trait) => trait === null)).toBe(true)
    expect(traitsOf({ ...facts, title: '  ', body: '' }).question).toBeNull()
  })
  it('are derived from its text and media by rules', () => {
    const traits = traitsOf({
      format: 'VIDEO',
      aspectRatio: '9:16',
      durationSeconds: 24,
      cardCount: 4,
      ctaType: 'SHOP_NOW',
      title: 'Why do you still cook alone?',
      body: 'Save 20 % on the board that gets better with you. “We love it” 🎁',
      landingHost: 'www.Example.com',
    })
    expect(traits).toEqual({
      format: 'video',
      aspect_ratio: '9:16',
      video_length: '16 to 30 s',
      card_count: '4 to 5',
      call_to_action: 'shop_now',
      title_length: '26 to 40 characters',
      body_length: 'up to 80 characters',
      question: 'yes',
      number: 'yes',
      offer: 'percent',
      testimonial: 'yes',
      emoji: 'yes',
      second_person: 'yes',
      language: 'en',
      landing_host: 'example.com',
      hook_type: 'question',
      primary_angle: 'saving',
    })
  })
  it.each([
    ['Prueba gratis para tu cocina y la de los tuyos', 'es', 'free', 'yes'],
    ['Die Küche für das ganze Leben und mit fester Zusage', 'de', 'none', 'no'],
    ['Walnut', null, 'none', null],
    ['Plan from €900 and the drawing is yours to keep', 'en', 'price', 'yes'],
  ])('%s', (title, language, offer, secondPerson) => {
    const traits = traitsOf({ ...facts, title })
    expect([traits.language, traits.offer, traits.second_person]).toEqual([language, offer, secondPerson])
  })
  it('have a hook and an angle only if the text matches a rule', () => {
    const traits = traitsOf({ ...facts, title: 'The board that gets better' })
    expect([traits.hook_type, traits.primary_angle]).toEqual([null, null])
  })
})

describe('an association', () => {
  const question = (traits: { question: string | null }) => (traits.question === 'yes' ? 1.6 : 1)

  it('that was simulated is detected, whatever the order of the rows', () => {
    const ads = plantCreatives({ seed: 1, ads: 300, effect: question })
    const rows = findDimensions(ads)
    expect(rows.find(({ key }) => key.dimension === 'question')).toMatchObject({ verdict: 'winning' })
    expect(findDimensions(ads.toReversed())).toEqual(rows)
    // The absence of a yes/no trait would be the same finding reversed.
    expect(rows.filter(({ key }) => key.value === 'no' || key.value === 'none')).toEqual([])
    const pairs = findPatterns(ads)
    expect(pairs.length).toBeGreaterThan(5)
    expect(findPatterns(ads.toReversed())).toEqual(pairs)
  })

  it('of two traits is reported only if it adds to the single traits', () => {
    const announced = (effect: (traits: Traits) => number) =>
      findPatterns(plantCreatives({ seed: 2, ads: 600, effect }))
        .filter(({ verdict }) => verdict !== 'unclear')
        .map(({ key }) => key.map(({ dimension }) => dimension))
    // In the simulated ads, short titles in the second person are nearly always questions.
    expect(announced(question)).toEqual([])
    const both = (traits: Traits) => (traits.second_person === 'yes' && traits.format === 'video' ? 1.8 : 1)
    expect(announced(both)).toEqual([['format', 'second_person']])
    const pairs = findPatterns(plantCreatives({ seed: 2, dress: (traits) => ({ ...traits, emoji: 'yes' }) }))
    expect(pairs.filter(({ key }) => key.some(({ dimension }) => dimension === 'emoji'))).toEqual([])
  })

  it('is not reported because of differences between campaigns', () => {
    const ads = plantCreatives({
      seed: 2,
      base: (campaign) => (campaign === 0 ? 0.2 : 0.02),
      dress: (traits, campaign) => ({ ...traits, emoji: campaign === 0 ? 'yes' : traits.emoji }),
    })
    const row = findDimensions(ads).find(({ key }) => key.dimension === 'emoji')
    expect(row).toMatchObject({ verdict: 'unclear' })
  })

  it('is reported if it holds in every campaign, however much campaigns differ', () => {
    const ads = plantCreatives({
      seed: 6,
      ads: 300,
      effect: question,
      base: (campaign) => 0.005 * 1.6 ** campaign,
    })
    const row = findDimensions(ads).find(({ key }) => key.dimension === 'question')!
    expect(row).toMatchObject({ verdict: 'winning', profiles: 1, profilesAgreeing: 1 })
    expect(row.qValue).toBeLessThanOrEqual(0.1)
    expect(row.liftLow).toBeGreaterThan(1)
  })

  it('needs eight ads in three campaigns', () => {
    const few = (carriers: number, campaigns: number) =>
      findDimensions(
        plantCreatives({
          seed: 3,
          ads: 60,
          campaigns: 6,
          dress: (() => {
            let remaining = carriers
            return (traits, campaign) => ({
              ...traits,
              emoji: campaign < campaigns && remaining-- > 0 ? 'yes' : 'no',
            })
          })(),
        }),
      ).some(({ key }) => key.dimension === 'emoji')
    expect([few(7, 4), few(9, 2), few(9, 4)]).toEqual([false, false, true])
  })

  it('reports confounded traits', () => {
    const ads = plantCreatives({
      seed: 4,
      dress: (traits) => ({ ...traits, emoji: traits.format === 'video' ? 'yes' : 'no' }),
    })
    const row = findDimensions(ads).find(({ key }) => key.dimension === 'emoji')!
    expect(row.confoundedWith).toContain('format')
    expect(row.confoundedWith).not.toContain('call_to_action')
  })
})

it('Benjamini and Hochberg’s published fifteen p-values give four discoveries at 5 %', () => {
  const published = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
    0.759, 1,
  ]
  expect(benjaminiHochberg(published).filter((q) => q <= 0.05)).toHaveLength(4)
})

it('Cramér’s V is 1 for one trait twice and near 0 for chance', () => {
  const pairs = Array.from({ length: 60 }, (_, index) => [index % 3, index % 3] as const)
  expect(cramersV(pairs.map(([a, b]) => [String(a), String(b)]))).toBeCloseTo(1, 1)
  expect(cramersV(pairs.map(([a], index) => [String(a), String(index % 7)]))).toBeLessThan(0.2)
})

it('archetypes contain each ad at most once, with an interval for small groups', () => {
  const rows = findArchetypes(plantCreatives({ seed: 5 }))
  expect(rows.reduce((sum, { ads }) => sum + ads, 0)).toBeLessThanOrEqual(120)
  for (const row of rows) {
    expect(row.winRateLow).toBeLessThanOrEqual(row.winRate)
    expect(row.winRateHigh).toBeGreaterThanOrEqual(row.winRate)
  }
  expect(wilson(0, 3)[1]).toBeGreaterThan(0.5)
  expect(wilson(1, 10)[0]).toBeCloseTo(0.0179, 3)
})

it('ads are ordered by spend within a currency, and minor units of two currencies are not compared', () => {
  const [planted] = plantCreatives({ seed: 5 })
  const ad = (id: string, currency: string, spendMinor: number) => ({ ...planted!, id, currency, spendMinor })
  const euros = [ad('a', 'EUR', 1), ad('b', 'EUR', 3), ad('c', 'EUR', 2)]
  expect(mostSpentFirst(euros)).toEqual(['b', 'c', 'a'])
  const pesos = [ad('x', 'CLP', 900), ad('y', 'CLP', 800)]
  expect(mostSpentFirst([...pesos, ...euros])).toEqual(['b', 'x', 'c', 'y', 'a'])
})
