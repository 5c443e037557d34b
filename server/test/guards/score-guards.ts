/** Scores use no later days, are shrunk towards their peer group, and are withheld without enough evidence. */
import type { Guard } from './guard.ts'

const scores = 'server/src/features/advice/top-performers/'
const score = `${scores}score/score.ts`
const steeredPrior = 'server/src/platform/statistics/steered-prior.ts'
const gate = `${scores}score/gate.ts`
const fatigue = `${scores}score/fatigue.ts`
const scoreTest = `${scores}score/score.test.ts`
const gateTest = `${scores}score/gate.test.ts`
const fatigueTest = `${scores}score/fatigue.test.ts`
const servedTest = `${scores}served-model.test.ts`
const routeTest = `${scores}top-performers.test.ts`

export const scoreGuards: readonly Guard[] = [
  {
    name: 'scores: rates are shrunk towards the peer group',
    file: steeredPrior,
    snippet: 'const shape = prior + member.count',
    replacement: 'const shape = 1e-9 + member.count',
    test: {
      file: scoreTest,
      title: 'shrinks the rates of ads with little data towards the peer group',
    },
  },
  {
    name: 'scores: ads with little exposure are not shrunk towards the best',
    file: steeredPrior,
    snippet: 'const TRUSTED_SLOPE = 0.7',
    replacement: 'const TRUSTED_SLOPE = 0',
    test: {
      file: scoreTest,
      title: 'shrinks ads with little delivery towards others of their size, not towards the best',
    },
  },
  {
    name: 'scores: clicks are weighted by the expected share of reported conversions',
    file: `${scores}score/lags.ts`,
    snippet: 'return Math.round((shareWithin(distribution, age) - before) * 1e6)',
    replacement: 'return Math.round((1 - 0 * before) * 1e6)',
    test: { file: scoreTest, title: 'so that the same truth aged 4 and 28 days agrees' },
  },
  {
    name: 'scores: a peer group needs eight ads',
    file: `${scores}score/peer-groups.ts`,
    snippet: 'export const MIN_PEER_GROUP = 8',
    replacement: 'export const MIN_PEER_GROUP = 1',
    test: {
      file: scoreTest,
      title: 'generalize placement, country, warmth and format in turn until they have eight ads',
    },
  },
  {
    name: 'scores: placement is dropped first',
    file: `${scores}score/peer-groups.ts`,
    snippet: "const generalizedParts = ['placement', 'geo', 'audienceWarmth', 'format'] as const",
    replacement: "const generalizedParts = ['format', 'audienceWarmth', 'geo', 'placement'] as const",
    test: {
      file: scoreTest,
      title: 'generalize placement, country, warmth and format in turn until they have eight ads',
    },
  },
  {
    name: 'scores: missing layers do not lower a score',
    file: score,
    snippet: 'Math.round((blended / weight) * 1e4) / 100',
    replacement: 'Math.round(blended * 1e4) / 100',
    test: { file: scoreTest, title: 'is the weighted mean of the layers that the ad has' },
  },
  {
    name: 'scores: confidence is low below a third',
    file: `${scores}score/layers.ts`,
    snippet: "if (share < 1 / 3) return 'low'",
    replacement: '',
    test: {
      file: scoreTest,
      title: 'reports confidence by the weight of the ad’s own data: low below a third, medium below two',
    },
  },
  {
    name: 'scores: cold until one outcome’s cost is spent',
    file: score,
    snippet: 'const isUnspent = costMinor !== null && ad.spendMinor < part * costMinor',
    replacement: 'const isUnspent = costMinor === -1',
    test: { file: scoreTest, title: 'is %s if %s' },
  },
  {
    name: 'scores: cold while there are few impressions',
    file: score,
    snippet: 'ad.impressions < part * MIN_IMPRESSIONS',
    replacement: 'ad.impressions < 0',
    test: { file: scoreTest, title: 'is %s if %s' },
  },
  {
    name: 'scores: cold while too few outcomes are expected',
    file: score,
    snippet: '(primary?.expected ?? 0) < part * MIN_EXPECTED',
    replacement: '(primary?.expected ?? 0) < 0',
    test: { file: scoreTest, title: 'is %s if %s' },
  },
  {
    name: 'scores: enough exposure and a difference are distinguished',
    file: score,
    snippet: 'Math.max(aboveMedian, 1 - aboveMedian) >= requiredProbability',
    replacement: 'aboveMedian >= 0 * requiredProbability',
    test: {
      file: scoreTest,
      title: 'distinguishes not shown enough, no difference, and different',
    },
  },
  {
    name: 'scores: hysteresis of stages',
    file: score,
    snippet: 'const keptStage = Math.min(previousStage, order.indexOf(score.keptMaturity))',
    replacement: 'const keptStage = Math.min(previousStage, 0)',
    test: { file: scoreTest, title: 'keeps a stage until it is clearly below it' },
  },
  {
    name: 'scores: the prior of a few ads does not outweigh an ad with many outcomes',
    file: steeredPrior,
    snippet: 'const VARIANCE_OF_FEW = 0.25',
    replacement: 'const VARIANCE_OF_FEW = 0',
    test: { file: scoreTest, title: '%s: never "not shown enough", and not shrunk far' },
  },
  {
    name: 'scores: an ad with many outcomes has enough exposure',
    file: score,
    snippet: 'const isProven = ad.outcomes >= part * ENOUGH_OUTCOMES',
    replacement: 'const isProven = ad.outcomes < 0 * part * ENOUGH_OUTCOMES',
    test: { file: scoreTest, title: '%s: never "not shown enough", and not shrunk far' },
  },
  {
    name: 'scores: hysteresis of differences',
    file: score,
    snippet: 'const requiredProbability = isSameSide ? KEPT_DIFFERENCE_PROBABILITY : DIFFERENCE_PROBABILITY',
    replacement: 'const requiredProbability = isSameSide ? DIFFERENCE_PROBABILITY : DIFFERENCE_PROBABILITY',
    test: { file: scoreTest, title: 'does not flip its stage or evidence back and forth' },
  },
  {
    name: 'scores: the order of rows does not matter',
    file: score,
    snippet: 'ads.toSorted((a, b) => (a.adId < b.adId ? -1 : a.adId > b.adId ? 1 : 0))',
    replacement: '[...ads]',
    test: { file: scoreTest, title: 'does not depend on the order of the ads' },
  },
  {
    name: 'scores: equal ads get the median score',
    file: `${scores}score/percentiles.ts`,
    snippet: 'sum += (from + (isAlone ? from + 1 : upperBound(sorted, value, from))) / 2',
    replacement: 'sum += from + 0 * (isAlone ? 0 : upperBound(sorted, value, from))',
    test: { file: scoreTest, title: 'is 50 for ads with equal figures' },
  },
  {
    name: 'scores: running ads have no end',
    file: `${scores}score/survival.ts`,
    snippet: 'if (sorted[at]!.ended) ends++',
    replacement: 'ends++',
    test: {
      file: scoreTest,
      title: 'remaining days are the median of peer-group ads that reached the same age',
    },
  },
  {
    name: 'scores: later outcomes are not used for training',
    file: `${scores}score-profile.ts`,
    snippet: 'for (let week = LEARNED_WEEKS + 1; week >= 2; week--) {',
    replacement: 'for (let week = LEARNED_WEEKS + 1; week >= 1; week--) {',
    test: { file: servedTest, title: 'is not changed by data of later days' },
  },
  {
    name: 'scores: days after the scored day are not read',
    file: `${scores}queries/append-days.ts`,
    snippet: '    to: day,\n    measures: {\n      first_day',
    replacement: '    to: addDays(day, 60),\n    measures: {\n      first_day',
    test: { file: servedTest, title: 'is not changed by data of later days' },
  },
  {
    name: 'scores: counts of a day are appended once',
    file: `${scores}score-profile.ts`,
    snippet: 'if (await needsWindows(tx, at)) await appendWindows',
    replacement: 'await appendWindows',
    test: { file: routeTest, title: 'appends the day’s data and never rewrites it' },
  },
  {
    name: 'scores: no reply rate if none is reported',
    file: `${scores}queries/replies.ts`,
    snippet: ' and s.day >= r.since',
    replacement: '',
    test: {
      file: routeTest,
      title: 'the reply rate uses only accounts that report replies, as of the day',
    },
  },
  {
    name: 'likelihood: must beat "as last week"',
    file: gate,
    snippet: 'const isSkilled = skills.base > 0 && skills.persistence > 0',
    replacement: 'const isSkilled = skills.base > 0',
    test: {
      file: gateTest,
      title: 'is withheld if it does not beat "as last week", however well calibrated',
    },
  },
  {
    name: 'likelihood: must beat the base rate',
    file: gate,
    snippet: 'const isSkilled = skills.base > 0 && skills.persistence > 0',
    replacement: 'const isSkilled = true',
    test: {
      file: gateTest,
      title: 'does not train on the tested week or the one before',
    },
  },
  {
    name: 'likelihood: must be calibrated',
    file: gate,
    snippet: 'const isCalibrated = slope >= SLOPE.low && slope <= SLOPE.high',
    replacement: 'const isCalibrated = slope === slope',
    test: { file: gateTest, title: 'is withheld if it is overconfident' },
  },
  {
    name: 'likelihood: tested on held-out weeks',
    file: gate,
    snippet: 'const EMBARGO_WEEKS = 2',
    replacement: 'const EMBARGO_WEEKS = 1',
    test: {
      file: gateTest,
      title: 'does not train on the tested week or the one before',
    },
  },
  {
    name: 'likelihood: needs a history',
    file: gate,
    snippet: 'if (tried.length < MIN_AD_WEEKS || positives < MIN_POSITIVES || weeks.length < 3)',
    replacement: 'if (tried.length === 0)',
    test: { file: gateTest, title: 'is withheld without enough history' },
  },
  {
    name: 'likelihood: a withheld likelihood gives no calibrated stage',
    file: `${scores}row-rules.ts`,
    snippet: "score.maturity === 'mature' && isModelled ? 'calibrated'",
    replacement: "score.maturity === 'mature' ? 'calibrated'",
    test: {
      file: servedTest,
      title: 'is withheld with a reason if past weeks do not predict the next',
    },
  },
  {
    name: "fatigue: adjusted for the peer group's daily variation",
    file: fatigue,
    snippet: 'exposure: points.impressions[at]! * Math.exp(effects.others(at)),',
    replacement: 'exposure: points.impressions[at]! * Math.exp(0 * effects.others(at)),',
    test: { file: fatigueTest, title: 'is not raised by a decline of the whole peer group' },
  },
  {
    name: 'fatigue: the alarm accounts for weekly variation',
    file: fatigue,
    snippet: 'deviation(usual, lastDays, dispersion.ratio)',
    replacement: 'deviation(usual, lastDays, 1)',
    test: {
      file: fatigueTest,
      title: 'is rarely raised without fatigue, even with autocorrelated days',
    },
  },
  {
    name: 'fatigue: a small decline is no alarm',
    file: fatigue,
    snippet: 'const MEDIUM_DECLINE = 0.08',
    replacement: 'const MEDIUM_DECLINE = 0',
    test: {
      file: fatigueTest,
      title: 'is not raised for a decline of less than a twelfth, however certain',
    },
  },
  {
    name: 'fatigue: no alarm after a change',
    file: fatigue,
    snippet: 'if (ad.changes.some((day) => day <= today && today - day < SILENT_DAYS))',
    replacement: 'if (ad.changes.length < 0)',
    test: { file: fatigueTest, title: 'is silent for three days after a change of budget or status' },
  },
  {
    name: 'fatigue: withheld with few days or few peers',
    file: fatigue,
    snippet: 'if (this.counts[on]! - 1 < MIN_OTHERS) return Number.NaN',
    replacement: '',
    test: { file: fatigueTest, title: 'is withheld with too little history or too few other ads' },
  },
]
