/** Pacing and recommendations are not overconfident, and changes of others at a platform are not overwritten. */
import type { Guard } from './guard.ts'

const pacing = 'server/src/features/advice/pacing/rules.test.ts'
const pacingRules = 'server/src/features/advice/pacing/rules.ts'
const recommendations = 'server/src/features/advice/recommendations/recommendations.test.ts'
const recommendationRules = 'server/src/features/advice/recommendations/rules.ts'
const recommendationRulesTest = 'server/src/features/advice/recommendations/rules.test.ts'

const spendModel = 'server/src/features/advice/pacing/spend-model.ts'

export const steeringGuards: readonly Guard[] = [
  {
    name: 'pacing: weekdays without spend are zero',
    file: spendModel,
    snippet: 'minor < OFF_BELOW * usual ? null',
    replacement: 'minor <= 0 && OFF_BELOW * usual < 0 ? null',
    test: { file: pacing, title: 'handles weekdays that are off, and one that was recently switched on' },
  },
  {
    name: 'pacing: a drift is extrapolated',
    file: spendModel,
    snippet: 'level: state.level + state.drift,',
    replacement: 'level: state.level,',
    test: { file: pacing, title: 'follows a drift' },
  },
  {
    name: 'pacing: no interval if its backtest failed',
    file: pacingRules,
    snippet: 'backtest.held >= backtest.tried / 2',
    replacement: 'backtest.held >= 0',
    test: { file: pacing, title: 'has no interval if past intervals failed' },
  },
  {
    name: 'pacing: each day has the budgets of the campaigns that ran on it',
    file: 'server/src/features/advice/pacing/budget-rules.ts',
    snippet: 'if (day >= today) return campaign.now',
    replacement: "if (day >= '') return campaign.now",
    test: { file: pacing, title: 'a month has the budgets of the campaigns that ran on its days' },
  },
  {
    name: 'pacing: weekdays differ',
    file: spendModel,
    snippet: 'const effects = weekdayEffects(logs, weekdays)',
    replacement: 'const effects = weekdayEffects(logs, weekdays).map(() => 0)',
    test: {
      file: pacing,
      title: 'uses weekday effects, and ignores today and the two days before',
    },
  },
  {
    name: 'pacing: the level adapts',
    file: spendModel,
    snippet: 'll: state.ll + 2 * state.ld + state.dd + step,',
    replacement: 'll: state.ll + 0 * step,',
    test: { file: pacing, title: 'follows a change of level within weeks' },
  },
  {
    name: 'pacing: paused campaigns are not projected',
    file: pacingRules,
    snippet: 'const history = historyOf(args.running, completeThrough)',
    replacement: 'const history = historyOf(args.all, completeThrough)',
    test: { file: pacing, title: 'excludes campaigns that no longer run' },
  },
  {
    name: 'pacing: the forecast is at least the reported spend',
    file: pacingRules,
    snippet: 'minor: Math.max(spendByDay.get(day) ?? 0, minor)',
    replacement: 'minor',
    test: { file: pacing, title: 'counts unsettled days with at least their reported spend' },
  },
  {
    name: 'pacing: two weeks are needed',
    file: pacingRules,
    snippet: 'history.length < MIN_HISTORY_DAYS ? null :',
    replacement: '',
    test: {
      file: pacing,
      title: 'is null with too little history, and exact when the month is over',
    },
  },
  {
    name: 'pacing: the interval narrows',
    file: pacingRules,
    snippet: 'const half = 25 - 24 * expectedShare',
    replacement: 'const half = 25 - 0 * expectedShare',
    test: { file: pacing, title: 'the tolerance narrows from 25 % to 1 %' },
  },
  {
    name: 'pacing: days that were not read are not days without spend',
    file: 'server/src/features/advice/pacing/operations.ts',
    snippet: "last !== '' && last < today ? last : today",
    replacement: "last !== '' && last < today ? today : today",
    test: {
      file: 'server/src/features/advice/pacing/pacing.test.ts',
      title: 'does not treat days without a sync as days without spend',
    },
  },
  {
    name: 'pacing: unsettled days are not used',
    file: pacingRules,
    snippet: 'const completeThrough = addDays(args.today, -UNSETTLED_DAYS)',
    replacement: 'const completeThrough = args.today',
    test: {
      file: pacing,
      title: 'uses weekday effects, and ignores today and the two days before',
    },
  },
  {
    name: "pacing: bounded by the platform's spend limits",
    file: pacingRules,
    snippet: 'return Math.min(ofMonth, ofWeeks, openDays * dailyCap(caps))',
    replacement: 'return Number.POSITIVE_INFINITY + 0 * ofMonth * ofWeeks',
    test: { file: pacing, title: 'stays within what the platform can spend' },
  },
  {
    name: 'recommendations: campaigns must differ by more than chance',
    file: recommendationRules,
    snippet: 'return fisherSurvival(chiSquareOf(members, rate) / between, between, degrees) < SIGNIFICANCE',
    replacement: 'return fisherSurvival(chiSquareOf(members, rate) / between, between, degrees) <= 1',
    test: { file: recommendations, title: 'find no difference if chance explains it' },
  },
  {
    name: 'recommendations: dispersion is estimated from the campaigns’ own days',
    file: recommendationRules,
    snippet: 'count: facts.outcomes / dispersion.ratio,\n  exposure: facts.exposureMinor / dispersion.ratio,',
    replacement: 'count: facts.outcomes,\n  exposure: facts.exposureMinor,',
    test: {
      file: recommendationRulesTest,
      title: 'buyers with two outcomes, noisy days and autocorrelated days cause no recommendation',
    },
  },
  {
    name: 'recommendations: delayed outcomes are accounted for',
    file: recommendationRules,
    snippet: 'const shares = within.map((share, lag) => share - (within[lag - 1] ?? 0))',
    replacement: 'const shares = within.map((_, lag) => (lag === 0 ? 1 : 0))',
    test: {
      file: recommendationRulesTest,
      title: 'one with growing spend is not called bad because its outcomes are still to come',
    },
  },
  {
    name: 'recommendations: a displayed probability is never 0 or 1',
    file: 'server/src/platform/statistics/distributions.ts',
    snippet: 'Math.min(0.99, Math.max(0.01, probability))',
    replacement: 'probability',
    test: {
      file: 'server/src/platform/statistics/statistics.test.ts',
      title: 'a displayed probability is never 0 or 1',
    },
  },
  {
    name: 'recommendations: settings unchanged for three days, and enough evidence',
    file: recommendationRules,
    snippet: 'now.getTime() - campaign.unchangedSince.getTime() >= UNCHANGED_MS',
    replacement: 'true',
    test: {
      file: recommendations,
      title: 'pause a clearly bad campaign, but not one that was changed, is paused or has too little data',
    },
  },
  {
    name: 'recommendations: an undo does not overwrite other changes',
    file: 'server/src/features/advice/recommendations/operations.ts',
    snippet: "for (const step of steps) await checkLive(target, step, 'after')",
    replacement: '',
    test: { file: recommendations, title: 'changes made at the platform in the meantime are kept' },
  },
  {
    name: 'recommendations: only clear differences',
    file: recommendationRules,
    snippet: 'above <= 1 - MIN_POSTERIOR',
    replacement: 'above <= 0.5',
    test: { file: recommendationRulesTest, title: 'a bad one is paused, and no other' },
  },
  {
    name: 'recommendations: a winner must stand out too',
    file: recommendationRules,
    snippet: 'above >= MIN_POSTERIOR',
    replacement: 'above >= 0.5',
    test: { file: recommendationRulesTest, title: 'a good one gets more budget, and no other' },
  },
  {
    name: 'recommendations: enough evidence',
    file: recommendationRules,
    snippet: 'reliability(prior, campaign.member.exposure) >= MIN_RELIABILITY &&',
    replacement: '',
    test: {
      file: recommendationRulesTest,
      title: 'a campaign without an outcome is paused once enough was spent on it',
    },
  },
  {
    name: 'recommendations: campaigns that do not run get none',
    file: recommendationRules,
    snippet: 'campaign.isRunning &&',
    replacement: '',
    test: {
      file: recommendations,
      title: 'pause a clearly bad campaign, but not one that was changed, is paused or has too little data',
    },
  },
  {
    name: 'recommendations: a step is at most a fifth',
    file: recommendationRules,
    snippet: 'const STEP = 0.2',
    replacement: 'const STEP = 0.3',
    test: {
      file: recommendations,
      title: 'move at most a fifth of a budget, and decrease before they increase',
    },
  },
  {
    name: 'recommendations: applying does not overwrite other changes',
    file: 'server/src/features/advice/recommendations/operations.ts',
    snippet: "for (const step of steps) await checkLive(target, step, 'before')",
    replacement: '',
    test: { file: recommendations, title: 'changes made at the platform in the meantime are kept' },
  },
  {
    name: 'recommendations: applied by one request at a time',
    file: 'server/src/features/advice/recommendations/operations.ts',
    snippet: 'if (!(await queries.claim(db, { ...at, status: change.from, now, staleBefore })))',
    replacement: 'if (staleBefore > now)',
    test: { file: recommendations, title: 'changes made at the platform in the meantime are kept' },
  },
  {
    name: 'recommendations: a dismissed one is not repeated',
    file: 'server/src/features/advice/recommendations/daily.ts',
    snippet: 'if (currentKeys.has(keyOf(proposal.kind, proposal.subject.id))) continue',
    replacement: '',
    test: {
      file: recommendations,
      title: 'a dismissed one is not created again, and a prediction is scored after 14 days',
    },
  },
  {
    name: 'recommendations: a prediction is scored when its days are settled',
    file: 'server/src/features/advice/recommendations/daily.ts',
    snippet: 'if (addDays(to, UNSETTLED_DAYS) > today) continue',
    replacement: '',
    test: {
      file: recommendations,
      title: 'a dismissed one is not created again, and a prediction is scored after 14 days',
    },
  },
  {
    name: 'recommendations: one bad campaign does not create winners',
    file: recommendationRules,
    snippet: 'const winners = isWorstFirst && !differWithout(members, worst) ? [] : best.filter(isReady)',
    replacement: 'const winners = best.filter(isReady)',
    test: { file: recommendationRulesTest, title: 'a bad one does not turn the others into winners' },
  },
  {
    name: 'platform writes: a listing read before our change does not undo it',
    file: 'server/src/features/facts/ads/structure.ts',
    snippet: 'e.written_at >= ${from.readAt ?? now}::timestamptz',
    replacement: 'false',
    test: {
      file: 'server/src/features/facts/ads/ads.test.ts',
      title: 'keeps a status that was written while a listing was being read',
    },
  },
  {
    name: 'platform writes: reports show a change immediately',
    file: 'server/src/features/sources/campaigns/operations.ts',
    snippet: 'await saveAppliedSettings(context.service.db, context.profile.id, [entity.id], { status })',
    replacement: '',
    test: {
      file: 'server/src/features/sources/campaigns/campaigns.test.ts',
      title: 'a pause is in the report immediately',
    },
  },
  {
    name: 'merge proposals: a phone that many people share is no evidence',
    file: 'server/src/features/corrections/identity-review/queries.ts',
    snippet: 'having count(distinct s.customer_id) between 2 and ${MAX_SHARING}',
    replacement: 'having count(distinct s.customer_id) > 1',
    test: {
      file: 'server/src/features/corrections/identity-review/proposals.test.ts',
      title: 'a phone that more than three customers share is ignored, and its open proposals are withdrawn',
    },
  },
]
