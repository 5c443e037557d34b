/** Error rates of the verdicts "winning" and "losing" in simulated worlds with known truth. */
import { expect, it } from 'vitest'
import { plantCreatives, pooledWinners } from '../../../../test/planted/creatives.ts'
import { findDimensions, findPatterns } from './patterns-rules.ts'
import { dimensions } from './traits-rules.ts'

const WORLDS = 200
const PLANTED = 60

it('if no trait matters, at most 15 % of worlds report a winner', () => {
  let [single, pairs, pooled] = [0, 0, 0]
  for (let seed = 0; seed < WORLDS; seed++) {
    const ads = plantCreatives({ seed })
    if (findDimensions(ads).some(({ verdict }) => verdict === 'winning')) single++
    if (findPatterns(ads).some(({ verdict }) => verdict === 'winning')) pairs++
    if (dimensions.some((dimension) => pooledWinners(ads, dimension) > 0)) pooled++
  }
  console.log('null worlds with a winner of', WORLDS, { single, pairs, pooled })
  expect(single).toBeLessThanOrEqual(0.15 * WORLDS)
  expect(pairs).toBeLessThanOrEqual(0.15 * WORLDS)
  // A rule that treats clicks as independent reports one almost everywhere.
  expect(pooled).toBeGreaterThan(0.8 * WORLDS)
})

it('a simulated factor of 1.6 among 300 ads is detected in at least 80 % of worlds', () => {
  let [detected, covered, wrong] = [0, 0, 0]
  for (let seed = 0; seed < PLANTED; seed++) {
    const effect = (traits: { question: string | null }) => (traits.question === 'yes' ? 1.6 : 1)
    const rows = findDimensions(plantCreatives({ seed, ads: 300, effect }))
    const row = rows.find(({ key }) => key.dimension === 'question')
    if (row?.verdict === 'winning') detected++
    if (row !== undefined && row.liftLow <= 1.6 && row.liftHigh >= 1.6) covered++
    const related = ['question', 'hook_type', 'title_length', 'testimonial', 'second_person', 'number']
    wrong += rows.filter((r) => r.verdict === 'winning' && !related.includes(r.key.dimension)).length
  }
  console.log(
    'planted 1.6: found',
    detected,
    'interval holds it',
    covered,
    'unrelated winners',
    wrong,
    'of',
    PLANTED,
  )
  expect(detected).toBeGreaterThanOrEqual(0.8 * PLANTED)
})

it('a value that occurs mostly in the best campaign is not winning', () => {
  let announced = 0
  for (let seed = 0; seed < PLANTED; seed++) {
    const rows = findDimensions(
      plantCreatives({
        seed,
        base: (campaign) => (campaign === 0 ? 0.09 : 0.03),
        // All ads of the best campaign and a few others, where it makes no difference.
        dress: (traits, campaign) => ({ ...traits, emoji: campaign === 0 ? 'yes' : traits.emoji }),
      }),
    )
    if (rows.some(({ key, verdict }) => key.dimension === 'emoji' && verdict === 'winning')) announced++
  }
  console.log('value of the best campaign announced in', announced, 'of', PLANTED)
  expect(announced).toBeLessThanOrEqual(0.05 * PLANTED)
})

it('if one trait matters, pairs that only repeat it are reported in at most 10 % of worlds', () => {
  let repeated = 0
  const worlds = PLANTED / 2
  for (let seed = 0; seed < worlds; seed++) {
    const effect = (traits: { question: string | null }) => (traits.question === 'yes' ? 1.6 : 1)
    const pairs = findPatterns(plantCreatives({ seed: 1000 + seed, ads: 300, effect }))
    if (pairs.some(({ verdict }) => verdict !== 'unclear')) repeated++
  }
  console.log('single trait repeated by a pair in', repeated, 'of', worlds)
  expect(repeated).toBeLessThanOrEqual(0.1 * worlds)
})
