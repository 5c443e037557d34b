/** Insights announce nothing that chance could explain. */
import type { Guard } from './guard.ts'

const patterns = 'server/src/features/advice/creative-patterns/patterns-rules.test.ts'
const lift = 'server/src/features/advice/creative-patterns/lift-rules.ts'
const experiments = 'server/src/features/advice/experiments/experiments.test.ts'
const experimentRules = 'server/src/features/advice/experiments/rules.ts'

const dataDriven = 'engine/src/data-driven/model.test.ts'

export const insightsGuards: readonly Guard[] = [
  {
    name: 'data-driven: withheld if chance explains the gain',
    file: 'engine/src/data-driven/verdict.ts',
    snippet: 'const MIN_SIGMAS = 2',
    replacement: 'const MIN_SIGMAS = -100',
    test: { file: dataDriven, title: 'is withheld if no channel has an effect, in at least 95 % of worlds' },
  },
  {
    name: 'data-driven: withheld if last touch predicts as well',
    file: 'engine/src/data-driven/verdict.ts',
    snippet: 'againstLastTouch.sigmas < MIN_SIGMAS',
    replacement: 'againstLastTouch.sigmas < -100',
    test: {
      file: dataDriven,
      title: 'is withheld if only the last visit matters, because last touch predicts as well',
    },
  },
  {
    name: 'data-driven: withheld if a channel follows people who buy anyway',
    file: 'engine/src/data-driven/verdict.ts',
    snippet: 'const MIN_FOLLOWING_SIGMAS = 3',
    replacement: 'const MIN_FOLLOWING_SIGMAS = 300',
    test: {
      file: dataDriven,
      title: 'is withheld if a channel follows buyers, although it predicts better than last touch',
    },
  },
  {
    name: 'geo designs: text from few customers is no region',
    file: 'server/src/features/advice/experiments/past.ts',
    snippet: 'const MIN_CUSTOMERS = 3',
    replacement: 'const MIN_CUSTOMERS = 1',
    test: {
      file: 'server/src/features/advice/experiments/geo-design.test.ts',
      title: 'returns the reason if the history supports no study',
    },
  },
  {
    name: 'experiments: regions with different growth get no verdict',
    file: 'server/src/features/advice/experiments/rules.ts',
    snippet: "if (kind === 'geo' && checks.placeboRatio! <= 1)",
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/advice/experiments/experiments.test.ts',
      title:
        'of regions with different growth or a random walk is inconclusive; a large lift of stable regions is not',
    },
  },
  {
    name: 'experiments: regions with a seasonal shift get no verdict',
    file: 'server/src/features/advice/experiments/rules.ts',
    snippet: "if (kind === 'geo' && checks.regionRatio !== null && checks.regionRatio <= 1)",
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/advice/experiments/geo-studies.test.ts',
      title:
        'a geo study with too few control regions, or with control regions that changed too, does not grade ads',
    },
  },
  {
    name: 'experiments: few control regions do not prove a cause',
    file: 'server/src/features/advice/experiments/placebo-rules.ts',
    snippet: '|| changes.length < MIN_REGIONS) return null',
    replacement: '|| changes.length < 2) return null',
    test: {
      file: 'server/src/features/advice/experiments/experiments.test.ts',
      title: 'must be at least four',
    },
  },
  {
    name: 'calibration: uses only finished, valid studies that prove a cause',
    file: 'server/src/features/insights/reports/queries/studies.ts',
    snippet: "and x.decision->>'verdict' in ('positive', 'negative', 'inconclusive')",
    replacement: '',
    test: {
      file: 'server/src/features/advice/experiments/geo-studies.test.ts',
      title: 'a lift study is compared with the credit of its campaign in the same days',
    },
  },
  {
    name: 'calibration: a new verdict invalidates cached responses',
    file: 'server/src/features/advice/experiments/queries.ts',
    snippet: 'await incrementReportVersion(tx, params.profileId)',
    replacement: '',
    test: {
      file: 'server/src/features/advice/experiments/geo-studies.test.ts',
      title: 'a new verdict invalidates a cached response without it',
    },
  },
  {
    name: 'patterns: ads are compared within their campaigns',
    file: lift,
    snippet: 'const group = groups.get(key)',
    replacement: 'const group = [...groups.values()][0] ?? groups.get(key)',
    test: { file: patterns, title: 'is not reported because of differences between campaigns' },
  },
  {
    name: 'patterns: a pair is more than a single trait',
    file: 'server/src/features/advice/creative-patterns/patterns-rules.ts',
    snippet: 'tests.every((test) => test.pair !== pair || passed.has(test))',
    replacement: 'tests.every((test) => test.pair !== pair || passed.size >= 0)',
    test: {
      file: patterns,
      title: 'of two traits is reported only if it adds to the single traits',
    },
  },
  {
    name: 'likelihood: never 0 or 1',
    file: 'server/src/features/advice/top-performers/score/likelihood.ts',
    snippet: 'const value = boundedProbability(',
    replacement: 'const value = (',
    test: {
      file: 'server/src/features/advice/top-performers/score/score.test.ts',
      title: 'a likelihood is never 0 or 1',
    },
  },
  {
    name: 'merge proposals: never certain',
    file: 'server/src/features/corrections/identity-review/rules.ts',
    snippet: 'Math.min(99, Math.max(1, Math.round(score)))',
    replacement: 'Math.round(score)',
    test: {
      file: 'server/src/features/corrections/identity-review/proposals.test.ts',
      title: 'a score is never 0 or 100',
    },
  },
  {
    name: 'patterns: a trait needs eight ads in three campaigns',
    file: lift,
    snippet: 'if (carriers.length < MIN_ADS || contrasts.length < MIN_CAMPAIGNS) return []',
    replacement: '',
    test: { file: patterns, title: 'needs eight ads in three campaigns' },
  },
  {
    name: 'patterns: corrected for multiple testing',
    file: lift,
    snippet:
      'smallest = Math.min(smallest, (pValues[index]! * pValues.length) / (pValues.length - fromLast))',
    replacement: 'smallest = pValues[index]! + 0 * fromLast',
    test: {
      file: patterns,
      title: 'Benjamini and Hochberg’s published fifteen p-values give four discoveries at 5 %',
    },
  },
  {
    name: 'patterns: the order of rows does not matter',
    file: lift,
    snippet: 'ads.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))',
    replacement: '[...ads]',
    test: { file: patterns, title: 'that was simulated is detected, whatever the order of the rows' },
  },
  {
    name: 'patterns: permutations are within campaigns',
    file: lift,
    snippet: 'for (const campaign of campaigns)\n      for (let last',
    replacement: 'for (const campaign of [campaigns.flat()])\n      for (let last',
    test: {
      file: patterns,
      title: 'is reported if it holds in every campaign, however much campaigns differ',
    },
  },
  {
    name: 'patterns: the false discovery rate is at most 10 %',
    file: lift,
    snippet: "q > MAX_Q ? 'unclear'",
    replacement: "q > 1 ? 'unclear'",
    test: { file: patterns, title: 'is not reported because of differences between campaigns' },
  },
  {
    name: 'patterns: the absence of a trait is not announced',
    file: 'server/src/features/advice/creative-patterns/patterns-rules.ts',
    snippet: "value !== null && value !== 'no' && value !== 'none'",
    replacement: 'value !== null',
    test: { file: patterns, title: 'that was simulated is detected, whatever the order of the rows' },
  },
  {
    name: 'patterns: related traits are named',
    file: lift,
    snippet: 'v > CONFOUNDED_ABOVE',
    replacement: 'v > 1',
    test: { file: patterns, title: 'reports confounded traits' },
  },
  {
    name: 'patterns: a hook is assigned only if the text contains it',
    file: 'server/src/features/advice/creative-patterns/traits-rules.ts',
    snippet: 'hook_type: title === null ? null : hookOf(title),',
    replacement: "hook_type: title === null ? null : (hookOf(title) ?? 'statement'),",
    test: { file: patterns, title: 'have a hook and an angle only if the text matches a rule' },
  },
  {
    name: 'archetypes: a winner needs a probability of 90 %',
    file: 'server/src/features/advice/creative-patterns/operations.ts',
    snippet: 'isWinner: row.above_median >= WINNER',
    replacement: 'isWinner: row.above_median >= WINNER / 2',
    test: {
      file: 'server/src/features/advice/creative-patterns/creative-patterns.test.ts',
      title: 'returns pairs and archetypes, not visible to other workspaces',
    },
  },
  {
    name: 'experiments: no verdict before its time',
    file: experimentRules,
    snippet: "return now < readableFrom(times, lagDays)! ? 'observing' : 'complete'",
    replacement: "return 'complete'",
    test: { file: experiments, title: 'waits for the end of the study and for late conversions' },
  },
  {
    name: 'experiments: a verdict waits for the profile’s conversion lag',
    file: 'server/src/features/advice/experiments/operations.ts',
    snippet: 'const lagDays = await findLagDays(context.db, profile.id)',
    replacement: 'const lagDays = rules.USUAL_LAG_DAYS as number | null',
    test: { file: experiments, title: 'wait for the conversion lag of the profile' },
  },
  {
    name: 'snapshots: a shared leaderboard ends with its profile',
    file: 'server/src/features/account/profile-lifecycle/steps.ts',
    snippet: '  dropWaitingJobs,\n  deleteSnapshots,',
    replacement: '  dropWaitingJobs,',
    test: {
      file: 'server/src/features/advice/top-performers/workspace.test.ts',
      title: 'is deleted with any of its profiles, and so are the scores',
    },
  },
  {
    name: 'experiments: a broken split is invalid',
    file: experimentRules,
    snippet: 'if (checks.sampleRatioP !== null && checks.sampleRatioP < BROKEN_SPLIT_P)',
    replacement: 'if (false)',
    test: {
      file: experiments,
      title: 'is "invalid" if the split is broken or the cells differed before the study',
    },
  },
  {
    name: 'experiments: days of regions are autocorrelated',
    file: experimentRules,
    snippet: 'return raw < 1 / Math.sqrt(n) ? 0 : Math.min(0.9, raw + (1 + 3 * raw) / n)',
    replacement: 'return 0 * raw',
    test: { file: experiments, title: 'of regions covers the true effect with autocorrelated days' },
  },
  {
    name: 'experiments: days of a split are autocorrelated',
    file: 'server/src/platform/statistics/dispersion.ts',
    snippet: 'return { variance: sum / degrees, degrees }',
    replacement:
      'return { variance: 0 * sum + series.reduce((total, value) => total + value ** 2, 0), degrees }',
    test: {
      file: experiments,
      title: 'of a simulated split test detects it, and covers the true effect with autocorrelated days',
    },
  },
  {
    name: 'experiments: cells that differed before the start are invalid',
    file: experimentRules,
    snippet: 'if (checks.prePeriodOk === false)',
    replacement: 'if (checks.prePeriodOk === undefined)',
    test: {
      file: experiments,
      title: 'is "invalid" if the split is broken or the cells differed before the study',
    },
  },
  {
    name: 'experiments: an interval that contains zero gives no verdict',
    file: experimentRules,
    snippet: 'if (reading.low > 0)',
    replacement: 'if (reading.effect > 0)',
    test: { file: experiments, title: 'waits for the end of the study and for late conversions' },
  },
  {
    name: "experiments: a verdict waits for the platform's observation end",
    file: experimentRules,
    snippet: 'observationEndsAt?.getTime() ?? 0',
    replacement: '0 * (observationEndsAt?.getTime() ?? 0)',
    test: { file: experiments, title: 'waits for the end of the study and for late conversions' },
  },
  {
    name: 'experiments: a canceled one gets no verdict',
    file: experimentRules,
    snippet: "if (times.canceledAt !== null) return 'canceled'",
    replacement: '',
    test: {
      file: experiments,
      title: 'are read when the account is connected, and each simulated one gets the expected verdict',
    },
  },
  {
    name: 'experiments: delivery far from the plan is reported',
    file: experimentRules,
    snippet: '(cell.share / share) - 1) > 0.25)',
    replacement: '(cell.share / share) - 1) > 25)',
    test: { file: experiments, title: 'delivery to cells far from the planned shares is reported' },
  },
  {
    name: 'experiments: temporarily incomplete figures do not remove a verdict',
    file: experimentRules,
    snippet: 'if (computed.verdict === null && !isMoved) return previous',
    replacement: '',
    test: {
      file: experiments,
      title: 'stays if the conversion lag grows or figures are temporarily missing',
    },
  },
  {
    name: 'experiments: no verdict before our own figures are complete',
    file: experimentRules,
    snippet: 'if (complete === null || syncedAt === null || syncedAt < complete)',
    replacement: 'if (false)',
    test: { file: experiments, title: 'is not reached before our own figures are complete' },
  },
  {
    name: 'experiments: only a positive lift study gives ads the grade lift',
    file: 'server/src/features/advice/top-performers/queries/lifted-ads.ts',
    snippet: "and (x.kind = 'lift' or x.decision->>'proves' = 'true')",
    replacement: '',
    test: {
      file: 'server/src/features/advice/top-performers/top-performers.test.ts',
      title: 'grades ads lift if a finished lift study of their campaign is positive',
    },
  },
  {
    name: 'geo studies: the interval has the effects that the placebo tests do not reject',
    file: 'server/src/features/advice/experiments/design-rules.ts',
    snippet: 'raw && widenByPlacebos(raw, before, during, changes)',
    replacement: 'raw',
    test: {
      file: 'server/src/features/advice/experiments/placebo-rules.test.ts',
      title: 'the interval of graded studies contains the effect, also if the regions drift',
    },
  },
  {
    name: 'recommendations: no budget into brand search',
    file: 'server/src/features/advice/recommendations/rules.ts',
    snippet: 'exposureMinor > 0 && !isBrandSearch',
    replacement: 'exposureMinor > 0',
    test: {
      file: 'server/src/features/advice/recommendations/recommendations.test.ts',
      title: 'compare no brand search, and name what was counted by which model',
    },
  },
  {
    name: 'recommendations: a campaign is in one at a time',
    file: 'server/src/features/advice/recommendations/rules.ts',
    snippet: 'losers.filter((loser) => loser !== donor)',
    replacement: 'losers',
    test: {
      file: 'server/src/features/advice/recommendations/recommendations.test.ts',
      title: 'name a campaign in one recommendation at a time',
    },
  },
  {
    name: 'doctor: a check that would not notice a stop does not pass',
    file: 'server/src/features/advice/doctor/event-rules.ts',
    snippet: 'unseen.length < names.length ? ok : notApplicable',
    replacement: 'ok',
    test: {
      file: 'server/src/features/advice/doctor/stop-rules.test.ts',
      title: 'few events are not a stop, and not a pass either',
    },
  },
  {
    name: 'journeys: only visits within the lookback are in a path',
    file: 'server/src/features/insights/reports/journeys/report.ts',
    snippet: 'touches.filter(({ models }) => (models & LINEAR_BIT) !== 0)',
    replacement: 'touches',
    test: {
      file: 'server/src/features/insights/reports/journeys/journeys.test.ts',
      title: 'shows every visit within the lookback and no other, whatever a model credits',
    },
  },
  {
    name: 'journeys: refunds count on their own days, as in Overview',
    file: 'server/src/features/insights/reports/journeys/rules.ts',
    snippet: '.filter(({ day }) => day >= days.from && day <= days.to)',
    replacement: '',
    test: {
      file: 'server/src/features/insights/reports/journeys/journeys.test.ts',
      title: 'subtracts refunds on their own days, from the path of their payment',
    },
  },
]
