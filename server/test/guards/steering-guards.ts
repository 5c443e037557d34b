/** Where spend is going is not overstated, and nothing at a platform is overwritten that is not ours. */
import type { Guard } from './guard.ts'

const pacing = 'server/src/features/pacing/rules.test.ts'
const pacingRules = 'server/src/features/pacing/rules.ts'
const recommendations = 'server/src/features/recommendations/recommendations.test.ts'
const recommendationRules = 'server/src/features/recommendations/rules.ts'
const recommendationRulesTest = 'server/src/features/recommendations/rules.test.ts'

export const steeringGuards: readonly Guard[] = [
  {
    name: 'pacing: weekdays differ',
    file: pacingRules,
    snippet: 'const weights = weekdayWeights(history)',
    replacement: 'const weights = weekdayWeights(history).map(() => 1)',
    test: {
      file: pacing,
      title: 'knows the weekdays, and does not believe today and the two days before it',
    },
  },
  {
    name: 'pacing: the level follows',
    file: pacingRules,
    snippet: 'const HALF_LIFE_DAYS = 7',
    replacement: 'const HALF_LIFE_DAYS = 700',
    test: { file: pacing, title: 'follows a change of level within weeks' },
  },
  {
    name: 'pacing: what is paused says nothing of the days to come',
    file: pacingRules,
    snippet: 'const model = fitSpend(args.running, completeThrough)',
    replacement: 'const model = fitSpend(args.all, completeThrough)',
    test: { file: pacing, title: 'leaves out what no longer runs' },
  },
  {
    name: 'pacing: what is reported is spent',
    file: pacingRules,
    snippet: 'minor: Math.max(spent.get(day) ?? 0, expected)',
    replacement: 'minor: expected',
    test: { file: pacing, title: 'counts of a day that is not settled at least what is reported' },
  },
  {
    name: 'pacing: two weeks are needed',
    file: pacingRules,
    snippet: 'if (known < MIN_HISTORY_DAYS) return null',
    replacement: '',
    test: {
      file: pacing,
      title: 'is withheld while too little is known, and is the truth when the month is over',
    },
  },
  {
    name: 'pacing: the band narrows',
    file: pacingRules,
    snippet: 'const half = 25 - 24 * expectedShare',
    replacement: 'const half = 25 - 0 * expectedShare',
    test: { file: pacing, title: 'the band narrows from a quarter to one percent' },
  },
  {
    name: 'pacing: days that were not read are not days without spend',
    file: 'server/src/features/pacing/operations.ts',
    snippet: "last !== '' && last < today ? last : today",
    replacement: "last !== '' && last < today ? today : today",
    test: {
      file: 'server/src/features/pacing/pacing.test.ts',
      title: 'does not take days that were not read for days without spend',
    },
  },
  {
    name: 'pacing: unsettled days are not believed',
    file: pacingRules,
    snippet: 'const completeThrough = addDays(today, -UNSETTLED_DAYS)',
    replacement: 'const completeThrough = today',
    test: {
      file: pacing,
      title: 'knows the weekdays, and does not believe today and the two days before it',
    },
  },
  {
    name: 'pacing: within what the platform can spend',
    file: pacingRules,
    snippet: 'return Math.min(ofMonth, ofWeeks, openDays * dailyCap(caps))',
    replacement: 'return Number.POSITIVE_INFINITY + 0 * ofMonth * ofWeeks',
    test: { file: pacing, title: 'stays within what the platform can spend' },
  },
  {
    name: 'recommendations: a cohort must differ by more than chance',
    file: recommendationRules,
    snippet: 'return chiSquareSurvival(chiSquare, members.length - 1) < DIFFERS_BELOW',
    replacement: 'return chiSquareSurvival(chiSquare, members.length - 1) <= 1',
    test: { file: recommendations, title: 'see no difference where chance shows as much' },
  },
  {
    name: 'recommendations: left alone for three days, and known well enough',
    file: recommendationRules,
    snippet: 'now.getTime() - campaign.unchangedSince.getTime() >= UNCHANGED_MS',
    replacement: 'true',
    test: {
      file: recommendations,
      title: 'pause what is known to be bad, and nothing that was changed, stands still or is hardly known',
    },
  },
  {
    name: 'recommendations: an undo leaves what others changed',
    file: 'server/src/features/recommendations/operations.ts',
    snippet: "for (const step of steps) await checkLive(found, step, 'after')",
    replacement: '',
    test: { file: recommendations, title: 'what somebody else changed since stays theirs' },
  },
  {
    name: 'recommendations: only what stands out',
    file: recommendationRules,
    snippet: 'above <= 1 - STANDS_OUT',
    replacement: 'above <= 0.5',
    test: { file: recommendationRulesTest, title: 'one that is bad is paused, and no other' },
  },
  {
    name: 'recommendations: a winner must stand out too',
    file: recommendationRules,
    snippet: 'above >= STANDS_OUT',
    replacement: 'above >= 0.5',
    test: { file: recommendationRulesTest, title: 'one that is good gets more, and no other' },
  },
  {
    name: 'recommendations: known well enough',
    file: recommendationRules,
    snippet: 'reliability(prior, campaign.member.exposure) >= MATURE &&',
    replacement: '',
    test: {
      file: recommendationRulesTest,
      title: 'a campaign without an outcome is paused once enough was spent on it to know',
    },
  },
  {
    name: 'recommendations: what stands still is left alone',
    file: recommendationRules,
    snippet: 'campaign.isRunning &&',
    replacement: '',
    test: {
      file: recommendations,
      title: 'pause what is known to be bad, and nothing that was changed, stands still or is hardly known',
    },
  },
  {
    name: 'recommendations: a step is at most a fifth',
    file: recommendationRules,
    snippet: 'const STEP = 0.2',
    replacement: 'const STEP = 0.3',
    test: { file: recommendations, title: 'move at most a fifth, and take before they give' },
  },
  {
    name: 'recommendations: what others changed before is left',
    file: 'server/src/features/recommendations/operations.ts',
    snippet: "for (const step of steps) await checkLive(found, step, 'before')",
    replacement: '',
    test: { file: recommendations, title: 'what somebody else changed since stays theirs' },
  },
  {
    name: 'recommendations: taken by one at a time',
    file: 'server/src/features/recommendations/operations.ts',
    snippet: 'if (!(await queries.claim(db, { ...at, status: change.from, now, staleBefore })))',
    replacement: 'if (staleBefore > now)',
    test: { file: recommendations, title: 'what somebody else changed since stays theirs' },
  },
  {
    name: 'recommendations: a dismissed one is not made again',
    file: 'server/src/features/recommendations/daily.ts',
    snippet: 'if (kept.has(keyOf(proposal.kind, proposal.subject.id))) continue',
    replacement: '',
    test: {
      file: recommendations,
      title: 'a dismissed one is not made again, and a prediction is scored after 14 days',
    },
  },
  {
    name: 'recommendations: a prediction is scored when its days are settled',
    file: 'server/src/features/recommendations/daily.ts',
    snippet: 'if (addDays(to, UNSETTLED_DAYS) > today) continue',
    replacement: '',
    test: {
      file: recommendations,
      title: 'a dismissed one is not made again, and a prediction is scored after 14 days',
    },
  },
  {
    name: 'recommendations: one bad campaign makes no winners',
    file: recommendationRules,
    snippet: 'const winners = isWorstFirst && !differWithout(members, worst) ? [] : best.filter(isReady)',
    replacement: 'const winners = best.filter(isReady)',
    test: { file: recommendationRulesTest, title: 'one that is bad makes no winners of the others' },
  },
]
