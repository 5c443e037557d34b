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
import { appendDays, appendWindow } from './queries/append-days.ts'
import {
  ageOn,
  type KnownRow,
  listKnownDays,
  loadCameOf,
  loadCounts,
  loadRunDays,
  loadSeries,
  toKnownAds,
} from './queries/known.ts'
import { countLags } from './queries/lags.ts'
import { beginRun, finishRun, type RunRow, saveProgress } from './queries/runs.ts'
import { deleteOlderScores, loadCreatives, type ScoreWrite, saveScores } from './queries/scores.ts'
import { type Scored, toFacts } from './row-rules.ts'
import { cohortsOf } from './score/cohorts.ts'
import { scoreWindows } from './score/counts.ts'
import { type Fatigue, findFatigue } from './score/fatigue.ts'
import { clickWeights, lagDistribution } from './score/lags.ts'
import { answer, askedOf, type KnownAd, learnAll, type Models, questions } from './score/likelihood.ts'
import { type AdScore, scoreAds } from './score/score.ts'
import { type Lifetime, medianRemaining } from './score/survival.ts'

/** Append days, four windows, learn, fatigue, four scores, done. */
const STEPS = 12
const FATIGUE_DAYS = 60
const LEARNED_WEEKS = 26
/** A week's examples are its first ads by id, which are hashes: enough to learn from, and never more than a minute. */
const MAX_LEARNED_ADS = 3000
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
  await done(6)
  const fatigue = await fatigueOf(db, at)
  await done(7)
  const { hash, ads } = await writeScores(db, at, { models, fatigue, done })
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
  for (const [index, window] of scoreWindows.entries()) {
    const weights = {
      cash: clickWeights(distributions.cash, window),
      pipeline: clickWeights(distributions.pipeline, window),
    }
    await db.transaction().execute((tx) => appendWindow(tx, at, window, weights))
    await done(2 + index)
  }
}

/** The same weekday of each past week whose outcomes have settled. */
async function learnFrom(db: Database, at: At): Promise<Models> {
  const known = new Set(await listKnownDays(db, at, addDays(at.day, -7 * (LEARNED_WEEKS + 2))))
  const asked = []
  for (let week = LEARNED_WEEKS + 1; week >= 2; week--) {
    const day = addDays(at.day, -7 * week)
    if (!known.has(day)) continue
    const past = { profileId: at.profileId, day }
    const month = await loadCounts(db, past, '28d', MAX_LEARNED_ADS)
    const days = await loadCounts(db, past, '7d')
    const ads = toKnownAds(month, days, day)
    asked.push(...askedOf({ week: LEARNED_WEEKS - week, ads, cameOf: await loadCameOf(db, past) }))
  }
  return learnAll(asked, at.profileId)
}

/** Cohort by cohort, so that a large account's days are never all in memory. */
async function fatigueOf(db: Database, at: At): Promise<Map<string, Fatigue>> {
  const ads = await loadCounts(db, at, '28d')
  const members = new Map<string, string[]>()
  for (const [ad, { key }] of cohortsOf(ads)) members.set(key, [...(members.get(key) ?? []), ad.adId])
  const found = new Map<string, Fatigue>()
  for (const [cohortKey, adIds] of members) {
    const series = await loadSeries(db, at, adIds, FATIGUE_DAYS)
    const judged = findFatigue(
      series.map((ad) => ({ ...ad, cohortKey })),
      dayNumber(at.day),
    )
    for (const [adId, fatigue] of judged) found.set(adId, fatigue)
  }
  return found
}

type Learnt = { models: Models; fatigue: Map<string, Fatigue>; done: (step: number) => Promise<void> }

async function writeScores(db: Database, at: At, learnt: Learnt): Promise<{ hash: string; ads: number }> {
  const creatives = await loadCreatives(db, at.profileId)
  const week = await loadCounts(db, at, '7d')
  const remaining = await lifespansOf(db, at)
  const digest = createHash('sha256')
  let ads = 0
  for (const [index, window] of scoreWindows.entries()) {
    const rows = await loadCounts(db, at, window)
    const known = new Map(toKnownAds(rows, week, at.day).map((ad) => [ad.adId, ad]))
    const byId = new Map(rows.map((row) => [row.adId, row]))
    const writes = scoreAds(rows).map((score) => {
      const scored: Scored = {
        counts: byId.get(score.adId)!,
        score,
        learned: answersFor(learnt.models, known.get(score.adId)!, score),
        fatigue: learnt.fatigue.get(score.adId) ?? { status: 'withheld', reason: 'insufficient_history' },
        lifespanDays: remaining(known.get(score.adId)!),
        creative: toCreative(creatives.get(score.adId)),
      }
      return toWrite(scored)
    })
    digest.update(JSON.stringify([window, writes]))
    ads = Math.max(ads, writes.length)
    await db.transaction().execute((tx) => saveScores(tx, at, window, writes))
    await learnt.done(8 + index)
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
async function lifespansOf(db: Database, at: At): Promise<(ad: KnownAd) => number | null> {
  const rows = await loadCounts(db, at, 'lifetime')
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
