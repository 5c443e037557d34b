/** Nothing is announced that chance could show, and nothing at a platform is overwritten that is not ours. */
import type { Guard } from './guard.ts'

const patterns = 'server/src/features/creative-patterns/patterns-rules.test.ts'
const lift = 'server/src/features/creative-patterns/lift-rules.ts'
const experiments = 'server/src/features/experiments/experiments.test.ts'
const experimentRules = 'server/src/features/experiments/rules.ts'
const pacing = 'server/src/features/pacing/rules.test.ts'
const pacingRules = 'server/src/features/pacing/rules.ts'
const recommendations = 'server/src/features/recommendations/recommendations.test.ts'
const recommendationRules = 'server/src/features/recommendations/rules.ts'

export const insightsGuards: readonly Guard[] = [
  {
    name: 'patterns: ads are compared inside their campaigns',
    file: lift,
    snippet: 'const group = groups.get(key)',
    replacement: 'const group = [...groups.values()][0] ?? groups.get(key)',
    test: { file: patterns, title: 'is not announced from differences between campaigns' },
  },
  {
    name: 'patterns: eight ads in three campaigns',
    file: lift,
    snippet: 'if (carriers.length < MIN_ADS || contrasts.length < MIN_CAMPAIGNS) return []',
    replacement: '',
    test: { file: patterns, title: 'needs eight ads in three campaigns' },
  },
  {
    name: 'patterns: many traits are many chances',
    file: lift,
    snippet:
      'smallest = Math.min(smallest, (pValues[index]! * pValues.length) / (pValues.length - fromLast))',
    replacement: 'smallest = pValues[index]! + 0 * fromLast',
    test: {
      file: patterns,
      title: 'Benjamini and Hochberg’s own fifteen p-values give four announcements at 5 %',
    },
  },
  {
    name: 'patterns: the order of rows does not matter',
    file: lift,
    snippet: 'ads.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))',
    replacement: '[...ads]',
    test: { file: patterns, title: 'that was planted is found, whatever the order of the rows' },
  },
  {
    name: 'experiments: no verdict before its time',
    file: experimentRules,
    snippet: "return now < readableFrom(times, lagDays)! ? 'observing' : 'complete'",
    replacement: "return 'complete'",
    test: { file: experiments, title: 'waits for the end and for the conversions that still come' },
  },
  {
    name: 'experiments: a verdict waits as long as the profile’s conversions take',
    file: 'server/src/features/experiments/operations.ts',
    snippet: '(await findLagDays(context.db, profile.id)) ?? rules.USUAL_LAG_DAYS',
    replacement: 'rules.USUAL_LAG_DAYS',
    test: { file: experiments, title: 'wait as long as conversions of this profile take' },
  },
  {
    name: 'snapshots: a shared leaderboard goes with its profile',
    file: 'server/src/features/profile-lifecycle/steps.ts',
    snippet: '  dropWaitingJobs,\n  deleteSnapshots,',
    replacement: '  dropWaitingJobs,',
    test: {
      file: 'server/src/features/top-performers/workspace.test.ts',
      title: 'goes with the profile that is in it, and so do the scores',
    },
  },
  {
    name: 'experiments: a broken split is invalid',
    file: experimentRules,
    snippet: 'if (checks.sampleRatioP !== null && checks.sampleRatioP < BROKEN_SPLIT_BELOW)',
    replacement: 'if (false)',
    test: { file: experiments, title: 'is "invalid" where the split is broken or the cells differed before' },
  },
  {
    name: 'experiments: days of regions remember one another',
    file: experimentRules,
    snippet: 'return found < 1 / Math.sqrt(n) ? 0 : Math.min(0.9, found + (1 + 3 * found) / n)',
    replacement: 'return 0 * found',
    test: { file: experiments, title: 'of regions covers the truth where days remember one another' },
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
    snippet: 'now.getTime() - facts.unchangedSince.getTime() >= UNCHANGED_MS',
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
]
