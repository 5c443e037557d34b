/**
 * Scores a profile up to the end of a day. Each step is kept before the next begins; one that was cut off is made
 * again from what was appended, with the same result.
 */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { JobContext } from '../../context.ts'
import { addDays, dayNumber } from '../../contract/dates.ts'
import { localDay } from '../../contract/zones.ts'
import type { DB } from '../../db/schema.ts'
import { findProfileRef } from '../access/queries.ts'
import { appendDays, appendWindows, countDays, type IdRange } from './queries/append-days.ts'
import {
  ageOn,
  findLastOf,
  type Known,
  type KnownRow,
  listKnownDays,
  loadAttributes,
  loadCameOf,
  loadCounts,
  loadRunDays,
  loadSeries,
  toKnownAds,
} from './queries/known.ts'
import { countLags } from './queries/lags.ts'
import { type AnsweredAds, loadAnswered } from './queries/replies.ts'
import { beginRun, finishRun, type RunRow, saveProgress } from './queries/runs.ts'
import {
  deleteOlderScores,
  deleteScores,
  insertScores,
  loadCreatives,
  type ScoreWrite,
} from './queries/scores.ts'
import { type Scored, toFacts } from './row-rules.ts'
import { cohortsOf } from './score/cohorts.ts'
import { scoreWindows } from './score/counts.ts'
import { type Fatigue, findFatigue } from './score/fatigue.ts'
import { clickWeights, lagDistribution } from './score/lags.ts'
import { answer, askedOf, type KnownAd, learnAll, type Models, questions } from './score/likelihood.ts'
import { type AdScore, scoreAds } from './score/score.ts'
import { type Lifetime, medianRemaining } from './score/survival.ts'

/** Append days, windows, learn, fatigue, four scores, done. */
const STEPS = 9
/** Ads whose days are summed by one statement, so that its groups stay in memory and it never runs for long. */
const ADS_AT_ONCE = 2000
const FATIGUE_DAYS = 60
const LEARNED_WEEKS = 26
/** A week's examples are its first ads by id, which are hashes: enough to learn twelve weights from, and a few seconds of work. */
const MAX_LEARNED_ADS = 1000
/** An ad that was not shown for so long has ended. */
const ENDED_AFTER_DAYS = 14

type At = { profileId: string; day: string }
type Database = Kysely<DB>

export const scoredDay = (now: Date, timezone: string): string => addDays(localDay(now, timezone), -1)

export async function scoreProfile(context: JobContext, profileId: string): Promise<void> {
  const profile = await findProfileRef(context.db, { profileId })
  if (profile === undefined) return
  const at = { profileId, day: scoredDay(context.now, profile.timezone) }
  await scoreDay(context.db, at, { timezone: profile.timezone, now: context.now, signal: context.signal })
}

export async function scoreDay(
  db: Database,
  at: At,
  setting: { timezone: string; now: Date; signal: AbortSignal },
): Promise<void> {
  const run = await db.transaction().execute(async (tx) => {
    const lags = await countLags(tx, { ...at, timezone: setting.timezone })
    return beginRun(tx, at, { stepsTotal: STEPS, lags, now: setting.now })
  })
  if (run === undefined) return
  const done = async (step: number) => {
    setting.signal.throwIfAborted()
    await saveProgress(db, at, step)
  }
  await append(db, at, run, done)
  const models = await learnFrom(db, at)
  const attributes = await loadAttributes(db, at)
  await done(3)
  const fatigue = await fatigueOf(db, at, attributes)
  await done(4)
  const answered = await loadAnswered(db, { ...at, timezone: setting.timezone })
  const { hash, ads } = await writeScores(db, at, { models, attributes, fatigue, answered, done })
  const model = Object.fromEntries(questions.map((question) => [question, models[question].backtest]))
  await db.transaction().execute(async (tx) => {
    await deleteOlderScores(tx, at)
    await finishRun(tx, at, { ads, model, hash, now: setting.now })
  })
}

async function append(
  db: Database,
  at: At,
  run: RunRow,
  done: (step: number) => Promise<void>,
): Promise<void> {
  await db.transaction().execute((tx) => appendDays(tx, at))
  await done(1)
  const distributions = { cash: lagDistribution(run.lags.cash), pipeline: lagDistribution(run.lags.pipeline) }
  const weights = {
    cash: scoreWindows.map((window) => clickWeights(distributions.cash, window)),
    pipeline: scoreWindows.map((window) => clickWeights(distributions.pipeline, window)),
  }
  const ads = await db.transaction().execute((tx) => countDays(tx, at))
  for (const ids of idRanges(Math.ceil(ads / ADS_AT_ONCE)))
    await db.transaction().execute((tx) => appendWindows(tx, at, ids, weights))
  await done(2)
}

/** Ids of ads are hashes: ranges of the same width hold about as many. */
function idRanges(count: number): IdRange[] {
  const hex = (place: number) => Math.floor(place).toString(16).padStart(4, '0')
  return Array.from({ length: count }, (_, index) => ({
    from: `${hex((0x10000 * index) / count)}0000-0000-0000-0000-000000000000`,
    to: `${hex(Math.floor((0x10000 * (index + 1)) / count) - 1)}ffff-ffff-ffff-ffff-ffffffffffff`,
  }))
}

/** The same weekday of each past week whose outcomes have settled. */
async function learnFrom(db: Database, at: At): Promise<Models> {
  const scored = new Set(await listKnownDays(db, at, addDays(at.day, -7 * (LEARNED_WEEKS + 2))))
  const asked = []
  for (let week = LEARNED_WEEKS + 1; week >= 2; week--) {
    const day = addDays(at.day, -7 * week)
    if (!scored.has(day)) continue
    const past = { profileId: at.profileId, day }
    const upTo = await findLastOf(db, past, MAX_LEARNED_ADS)
    const known = await loadAttributes(db, past, upTo)
    const month = await loadCounts(db, past, '28d', known, upTo)
    const days = await loadCounts(db, past, '7d', known, upTo)
    const ads = toKnownAds(month, days, day)
    asked.push(...askedOf({ week: LEARNED_WEEKS - week, ads, cameOf: await loadCameOf(db, past, upTo) }))
  }
  return learnAll(asked, at.profileId)
}

/** Cohort by cohort, so that a large account's days are never all in memory. */
async function fatigueOf(db: Database, at: At, attributes: Known): Promise<Map<string, Fatigue>> {
  const ads = await loadCounts(db, at, '28d', attributes)
  const cohorts = Map.groupBy(cohortsOf(ads), ([, { key }]) => key)
  const found = new Map<string, Fatigue>()
  for (const [cohortKey, members] of cohorts) {
    const adIds = members.map(([ad]) => ad.adId)
    const series = await loadSeries(db, at, adIds, FATIGUE_DAYS)
    const judged = findFatigue(
      series.map((ad) => ({ ...ad, cohortKey })),
      dayNumber(at.day),
    )
    for (const [adId, fatigue] of judged) found.set(adId, fatigue)
  }
  return found
}

type Learnt = {
  models: Models
  attributes: Known
  fatigue: Map<string, Fatigue>
  answered: AnsweredAds
  done: (step: number) => Promise<void>
}
/** Rows written by one statement; what is made of more ads is never in memory at once. */
const ROWS_AT_ONCE = 1000

async function writeScores(db: Database, at: At, learnt: Learnt): Promise<{ hash: string; ads: number }> {
  const creatives = await loadCreatives(db, at.profileId)
  const week = await loadCounts(db, at, '7d', learnt.attributes)
  const remaining = await lifespansOf(db, at, learnt.attributes)
  const digest = createHash('sha256')
  let ads = 0
  for (const [index, window] of scoreWindows.entries()) {
    const rows = await loadCounts(db, at, window, learnt.attributes)
    const known = new Map(toKnownAds(rows, week, at.day).map((ad) => [ad.adId, ad]))
    const byId = new Map(rows.map((row) => [row.adId, row]))
    const scores = scoreAds(rows)
    const toRows = (part: readonly AdScore[]): ScoreWrite[] =>
      part.map((score) => {
        const ad = known.get(score.adId)!
        const scored: Scored = {
          counts: byId.get(score.adId)!,
          score,
          learned: answersFor(learnt.models, ad, score),
          fatigue: learnt.fatigue.get(score.adId) ?? { status: 'withheld', reason: 'insufficient_history' },
          lifespanDays: remaining(ad),
          creative: toCreative(creatives.get(score.adId)),
          answered: learnt.answered[window].get(score.adId) ?? null,
        }
        return toWrite(scored)
      })
    digest.update(window)
    ads = Math.max(ads, scores.length)
    await db.transaction().execute(async (tx) => {
      await deleteScores(tx, at, window)
      for (let start = 0; start < scores.length; start += ROWS_AT_ONCE) {
        const text = JSON.stringify(toRows(scores.slice(start, start + ROWS_AT_ONCE)))
        digest.update(text)
        await insertScores(tx, at, window, text)
      }
    })
    await learnt.done(5 + index)
  }
  return { hash: digest.digest('hex'), ads }
}

const answersFor = (models: Models, ad: KnownAd, score: AdScore) => ({
  top: answer(models, 'top', ad, score),
  pause: answer(models, 'pause', ad, score),
  degradation: answer(models, 'degradation', ad, score),
})

type CreativeRow = Awaited<ReturnType<typeof loadCreatives>> extends Map<string, infer Row> ? Row : never

const toCreative = (row: CreativeRow | undefined): Scored['creative'] =>
  row === undefined
    ? null
    : {
        format: row.format,
        title: row.title,
        body: row.body,
        ctaType: row.cta_type,
        videoId: row.video_id,
        landingHost: row.landing_host,
      }

function toWrite(scored: Scored): ScoreWrite {
  const { counts, score, fatigue } = scored
  const facts = toFacts(scored)
  return {
    ad_id: counts.adId,
    composite_score: facts.composite_score,
    maturity_stage: facts.maturity_stage,
    truth_grade: facts.truth_grade,
    primary_outcome_kind: facts.primary_outcome_kind,
    objective: counts.objective,
    format: counts.format,
    has_video: counts.videoImpressions > 0 || facts.video_id !== null,
    spend_minor: counts.spendMinor,
    fatigue: fatigue.status === 'served' ? fatigue.tier : 'unknown',
    above_median: score.aboveMedian,
    posterior_shape: score.posterior?.shape ?? null,
    posterior_rate: score.posterior?.rate ?? null,
    facts,
  }
}

/** The days an ad has still to run, by how long those of its cohort ran. */
async function lifespansOf(db: Database, at: At, attributes: Known): Promise<(ad: KnownAd) => number | null> {
  const rows = await loadCounts(db, at, 'lifetime', attributes)
  const ran = await loadRunDays(db, at)
  const cohorts = cohortsOf(rows)
  const lifetimes = new Map<string, Lifetime[]>()
  const lifetimeOf = (row: KnownRow): Lifetime => {
    const { first, last } = ran.get(row.adId)!
    return { days: ageOn(first, last), ended: ageOn(last, at.day) > ENDED_AFTER_DAYS }
  }
  const keys = new Map<string, string>()
  for (const [row, { key, members }] of cohorts) {
    keys.set(row.adId, key)
    if (!lifetimes.has(key)) lifetimes.set(key, members.map(lifetimeOf))
  }
  return (ad) => {
    const key = keys.get(ad.adId)
    const own = ran.get(ad.adId)
    if (key === undefined || own === undefined || !ad.isActive) return null
    return medianRemaining(lifetimes.get(key)!, ageOn(own.first, at.day))
  }
}
