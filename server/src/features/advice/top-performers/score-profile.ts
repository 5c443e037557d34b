/**
 * Scores a profile up to the end of a day. Each step is committed before the next begins; an interrupted step is
 * repeated from the appended rows, with the same result.
 */
import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Tx, withConnection } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { appendDays, appendWindows, needsWindows } from './queries/append-days.ts'
import { readCreatives } from './queries/creatives.ts'
import { countLags } from './queries/lags.ts'
import { listLiftedAds } from './queries/lifted-ads.ts'
import { readChanges, readDays, readShown } from './queries/read-days.ts'
import { loadReplies, type RepliesByWindow } from './queries/replies.ts'
import { beginRun, finishRun, type RunRow, saveProgress } from './queries/runs.ts'
import {
  findIdAtRank,
  listScoredDays,
  loadAdOutcomes,
  readAttributes,
  readCounts,
  toAdState,
} from './queries/score-inputs.ts'
import {
  copyScores,
  deleteOlderScores,
  deleteScores,
  listPreviousScores,
  type ScoreWrite,
} from './queries/scores.ts'
import type { AdIndex, WindowCounts } from './queries/window-counts.ts'
import { type CreativeFacts, type Scored, toCreative, toFacts } from './row-rules.ts'
import type { AdDays } from './score/ad-days.ts'
import { type ScoreWindow, scoreWindows } from './score/counts.ts'
import { type Fatigue, findFatigue } from './score/fatigue.ts'
import { clickWeights, lagDistribution } from './score/lags.ts'
import {
  type AdState,
  labeledAds,
  type Models,
  predictTarget,
  targets,
  trainAll,
} from './score/likelihood.ts'
import { peerGroupsOf } from './score/peer-groups.ts'
import { evidenceOf, scoreInOrder, stageAfter } from './score/score.ts'
import type { AdScore } from './score/score-columns.ts'
import { type Lifetime, medianRemaining } from './score/survival.ts'

/** Append days, windows, fatigue, learn, four scores, done. */
const STEPS = 9
const FATIGUE_DAYS = 60
const LEARNED_WEEKS = 26
/** Examples per week: its first ads by id, a random sample because ids are hashes. Enough for twelve weights in seconds. */
const MAX_LEARNED_ADS = 1000
/** An ad without impressions for this many days counts as ended. */
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
  await db.transaction().execute((tx) => appendDays(tx, at))
  await done(1)
  const adIndex = await withLongQueries(db, (_, client) => readAttributes(client, at))
  const summary = await summarizeDays(db, at, run, adIndex, done)
  const models = await learnFrom(db, at)
  await done(4)
  const answered = await loadReplies(db, { ...at, timezone: setting.timezone })
  const { hash, ads } = await writeScores(db, at, { models, known: adIndex, ...summary, answered, done })
  const model = Object.fromEntries(targets.map((question) => [question, models[question].backtest]))
  await db.transaction().execute(async (tx) => {
    await deleteOlderScores(tx, at)
    await finishRun(tx, at, { ads, model, hash, now: setting.now })
  })
}

/** The ads' days, by ad index. */
type Days = { known: AdIndex; days: AdDays }

type DaySummary = { fatigue: Map<string, Fatigue>; remaining: (ad: AdState) => number | null }

/** Reads the days of all ads, derives fatigue and lifespans, and releases their memory. */
async function summarizeDays(
  db: Database,
  at: At,
  run: RunRow,
  adIndex: AdIndex,
  done: (step: number) => Promise<void>,
): Promise<DaySummary> {
  const days = await readAndAppend(db, at, run, adIndex)
  await done(2)
  const fatigue = await fatigueOf(db, at, days)
  await done(3)
  const remaining = lifespansOf(days)
  days.days.releaseDays()
  return { fatigue, remaining }
}

async function readAndAppend(db: Database, at: At, run: RunRow, adIndex: AdIndex): Promise<Days> {
  const distributions = { cash: lagDistribution(run.lags.cash), pipeline: lagDistribution(run.lags.pipeline) }
  const weights = {
    cash: scoreWindows.map((window) => clickWeights(distributions.cash, window)),
    pipeline: scoreWindows.map((window) => clickWeights(distributions.pipeline, window)),
  }
  return withLongQueries(db, async (tx, client) => {
    const days = await readDays(client, at, adIndex, {
      firstDay: firstDayOf(adIndex, at.day),
      frequencyDays: FATIGUE_DAYS,
    })
    if (await needsWindows(tx, at)) await appendWindows(client, at, { known: adIndex, days, weights })
    days.releaseSums()
    return { known: adIndex, days }
  })
}

const firstDayOf = ({ ads }: AdIndex, day: string): string => {
  let first = day
  for (const { firstDay } of ads) if (firstDay !== null && firstDay < first) first = firstDay
  return first
}

/** A dedicated connection without statement timeout, for statements over all ads of a profile. */
const withLongQueries = <T>(db: Database, work: (tx: Tx, client: pg.PoolClient) => Promise<T>): Promise<T> =>
  withConnection(db, async (tx, client) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return work(tx, client)
  })

/** Trains on the same weekday of each past week with settled outcomes. */
async function learnFrom(db: Database, at: At): Promise<Models> {
  const scored = new Set(await listScoredDays(db, at, addDays(at.day, -7 * (LEARNED_WEEKS + 2))))
  const labeled = []
  for (let week = LEARNED_WEEKS + 1; week >= 2; week--) {
    const day = addDays(at.day, -7 * week)
    if (!scored.has(day)) continue
    const past = { profileId: at.profileId, day }
    const upTo = await findIdAtRank(db, past, MAX_LEARNED_ADS)
    const [attributes, month, days] = await withLongQueries(db, async (_, client) => {
      const adIndex = await readAttributes(client, past, upTo)
      const read = (window: ScoreWindow) => readCounts(client, past, window, adIndex, upTo)
      return [adIndex, await read('28d'), await read('7d')]
    })
    const ads = Array.from(month.slots(), (slot) => ({ ...attributes.ads[slot]!, slot }))
    const knownAt = (index: number) => {
      const { slot } = ads[index]!
      return toAdState(month.at(slot), days.clicksAt(slot), day)
    }
    const outcomes = await loadAdOutcomes(db, past, upTo)
    labeled.push(...labeledAds({ week: LEARNED_WEEKS - week, ads, knownAt, outcomes }))
  }
  return trainAll(labeled, at.profileId)
}

/** One peer group at a time, so that the days of a large account are never all unpacked. */
async function fatigueOf(
  db: Database,
  at: At,
  { known: adIndex, days }: Days,
): Promise<Map<string, Fatigue>> {
  const [isShown, changes] = await withLongQueries(db, async (_, client) => [
    await readShown(client, at, '28d', adIndex),
    await readChanges(client, at, adIndex, FATIGUE_DAYS),
  ])
  const slots = Int32Array.from(adIndex.ads.keys()).filter((slot) => isShown[slot] === 1)
  const today = dayNumber(at.day)
  const fatigueByAd = new Map<string, Fatigue>()
  for (const { key, own } of peerGroupsOf(Array.from(slots, (slot) => adIndex.ads[slot]!))) {
    const series = own.map((index) => {
      const slot = slots[index]!
      return {
        adId: adIndex.ads[slot]!.adId,
        peerGroupKey: key,
        changes: changes.get(slot) ?? [],
        columns: () => days.columnsOf(slot, today),
      }
    })
    for (const [adId, fatigue] of findFatigue(series, today)) fatigueByAd.set(adId, fatigue)
    // Yields, so that requests to this process wait for one peer group at most.
    await nextTurn()
  }
  return fatigueByAd
}

type ScoringInputs = DaySummary & {
  models: Models
  known: AdIndex
  answered: RepliesByWindow
  done: (step: number) => Promise<void>
}
/** The hash format groups rows into JSON arrays of this size, as earlier releases wrote them. */
const HASH_BATCH = 1000

async function writeScores(
  db: Database,
  at: At,
  learnt: ScoringInputs,
): Promise<{ hash: string; ads: number }> {
  const creatives = await loadCreatives(db, at.profileId)
  const lifted = await listLiftedAds(db, at)
  const { known: adIndex } = learnt
  let week: WindowCounts | undefined
  const digest = createHash('sha256')
  let ads = 0
  for (const [index, window] of scoreWindows.entries()) {
    const counts = await withLongQueries(db, (_, client) => readCounts(client, at, window, adIndex))
    // The first window is the week, which the others need.
    week ??= counts
    const lastWeek = week
    const slots = counts.slots()
    const before = await listPreviousScores(db, at, window)
    const scores = scoreInOrder(
      Array.from(slots, (slot) => adIndex.ads[slot]!),
      (position) => counts.at(slots[position]!),
    )
    const toScored = (position: number): Scored => {
      const slot = slots[position]!
      const computed = scores.at(position)
      const last = before.get(computed.adId)
      const score = { ...computed, maturity: stageAfter(last?.stage, computed) }
      const ad = toAdState(counts.at(slot), lastWeek.clicksAt(slot), at.day)
      return {
        counts: ad.month,
        score,
        evidence: evidenceOf(score, last),
        learned: predictAll(learnt.models, ad, score),
        fatigue: learnt.fatigue.get(score.adId) ?? { status: 'withheld', reason: 'insufficient_history' },
        lifespanDays: learnt.remaining(ad),
        creative: creatives.get(score.adId) ?? null,
        answered: learnt.answered[window].get(score.adId) ?? null,
        isLifted: lifted.has(score.adId),
      }
    }
    digest.update(window)
    ads = Math.max(ads, scores.length)
    await withLongQueries(db, async (tx, client) => {
      await deleteScores(tx, at, window)
      await copyScores(
        client,
        at,
        window,
        hashed(scores.length, (position) => toWrite(toScored(position)), digest),
      )
    })
    scores.release()
    if (counts !== week) counts.release()
    await learnt.done(5 + index)
  }
  return { hash: digest.digest('hex'), ads }
}

/** Passes the rows through and updates the hash with each. */
function* hashed(rows: number, toRow: (index: number) => ScoreWrite, digest: Hash): Generator<ScoreWrite> {
  for (let index = 0; index < rows; index++) {
    const { facts, ...row } = toRow(index)
    const isFirst = index % HASH_BATCH === 0
    const isLast = index % HASH_BATCH === HASH_BATCH - 1 || index === rows - 1
    digest.update(
      `${isFirst ? '[' : ','}${JSON.stringify(row).slice(0, -1)},"facts":${facts}}${isLast ? ']' : ''}`,
    )
    yield { ...row, facts }
  }
}

async function loadCreatives(db: Database, profileId: string): Promise<Map<string, CreativeFacts>> {
  const creatives = new Map<string, CreativeFacts>()
  for await (const rows of readCreatives(db, profileId))
    for (const row of rows)
      creatives.set(row.ad_id, toCreative({ ...row, ctaType: row.cta_type, videoId: row.video_id }))
  return creatives
}

const predictAll = (models: Models, ad: AdState, score: AdScore) => ({
  top: predictTarget(models, 'top', ad, score),
  pause: predictTarget(models, 'pause', ad, score),
  degradation: predictTarget(models, 'degradation', ad, score),
})

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
    facts: JSON.stringify(facts),
  }
}

/** Expected remaining days of an ad, from the lifespans in its peer group. */
function lifespansOf(days: Days): (ad: AdState) => number | null {
  const { own: ageByAd, remainingIn } = lifetimesOf(days)
  return (ad) => {
    const lifetime = ageByAd.get(ad.adId)
    return lifetime === undefined || !ad.isActive ? null : remainingIn.get(lifetime.key)!(lifetime.age)
  }
}

function lifetimesOf({ known: adIndex, days }: Days) {
  const ran = adIndex.ads.flatMap((ad, slot) => {
    const ages = days.shownAges(slot)
    return ages === null ? [] : [{ ad, ...ages }]
  })
  const lifetimeOf = ({ oldest, newest }: { oldest: number; newest: number }): Lifetime => ({
    days: oldest - newest + 1,
    ended: newest + 1 > ENDED_AFTER_DAYS,
  })
  const remainingIn = new Map<string, (age: number) => number | null>()
  const ageByAd = new Map<string, { key: string; age: number }>()
  for (const peerGroup of peerGroupsOf(ran.map(({ ad }) => ad))) {
    remainingIn.set(peerGroup.key, medianRemaining(peerGroup.members.map((slot) => lifetimeOf(ran[slot]!))))
    for (const slot of peerGroup.own)
      ageByAd.set(ran[slot]!.ad.adId, { key: peerGroup.key, age: ran[slot]!.oldest + 1 })
  }
  return { own: ageByAd, remainingIn }
}
