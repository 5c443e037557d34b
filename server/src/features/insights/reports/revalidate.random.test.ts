/** Random writes of every kind between and during reports: a cached or 304 response equals the computed one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCreative, makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { depth } from '../../../../test/length.ts'
import { reportQuestions } from '../../../../test/report-questions.ts'
import { openReportedWorld, type ReportedWorld } from '../../../../test/reported-world.ts'
import { printedSeed } from '../../../../test/seed.ts'
import { watchReportNumbers } from '../../../../test/watch-report-numbers.ts'
import { jobs } from '../../../app.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { type Random, seededRandom } from '../../../platform/seeded-random.ts'
import { saveChannelRules } from '../../attribution/channel-rules/contract.ts'
import { updateAttributionSettings } from '../../attribution/crediting/contract.ts'
import { saveExchangeRate } from '../../corrections/exchange-rates/contract.ts'
import { createGoal } from '../../corrections/goals/contract.ts'
import { recordRefund } from '../../corrections/payments/contract.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { saveAppliedSettings } from '../../facts/ads/applied-settings.ts'
import { saveAdDetails } from '../../facts/ads/details.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { thinDay } from '../../facts/restatements/thin-queries.ts'
import { declareSource, saveDeclaredVocabulary } from '../../sources/declared-sources/contract.ts'

const STEPS = depth(18, 60)
const seed = printedSeed('unchanged reports')
const random = seededRandom('unchanged reports', seed)

let world: ReportedWorld
beforeAll(async () => {
  world = await openReportedWorld()
  if (!world.app.service.nodes.isDistributed && !process.env.WATCH_REPORT_NUMBERS)
    await watchReportNumbers(world.app.pool)
  const { clock } = world.app.service
  await world.app.pool.query(
    `insert into connections (profile_id, id, provider, external_id, status, display_name, token_version, scopes,
       authorized_at, created_at, updated_at)
     values ($1, $2, 'social_ads', '1', 'connected', 'Account', 1, '{}', $3, $3, $3)`,
    [world.profileId, uuidv7(clock.now()), clock.now()],
  )
})
afterAll(() => world.app.close())

type Write = (chance: Random, step: number) => Promise<unknown>

const day = (chance: Random) => `2026-05-${String(chance.int(1, 28)).padStart(2, '0')}`
const ad = (chance: Random) => chance.pick(['A1', 'A2', 'A3'])
const paid: string[] = []

const writes: Record<string, Write> = {
  visit: (chance) =>
    send(
      { event_name: 'visit', anonymous_id: chance.pick(['ana', 'bob', 'cid']), ad: { ad_id: ad(chance) } },
      chance,
    ),
  payment(chance, step) {
    paid.push(`paid-${step}`)
    const properties = { value: chance.int(1, 90), currency: chance.pick(['EUR', 'EUR', 'XAF']) }
    const customer = chance.pick(['ana', 'bob', 'eve'])
    return send(
      { event_name: 'payment_received', anonymous_id: customer, properties, idempotency_key: `paid-${step}` },
      chance,
    )
  },
  async refund() {
    const key = paid.shift()
    if (key === undefined) return
    const params = { payment_id: eventIdOf(world.profileId, key) }
    await world.call(recordRefund, { params, body: { amount: '1.00' } }).catch(() => {})
  },
  async retraction() {
    const key = paid.pop()
    if (key !== undefined) await world.call(retractEvent, { body: { idempotency_key: key } }).catch(() => {})
  },
  delivery: (chance) =>
    saveRecords(world.app, world.profileId, [
      makeDelivery('ad', ad(chance), day(chance), { spendMinor: chance.int(1, 9000) }),
    ]),
  structure: (chance, step) =>
    saveRecords(world.app, world.profileId, [
      makeEntity('campaign', chance.pick(['C1', 'C2']), { name: `Name ${step}` }),
    ]),
  change: (chance) =>
    saveAppliedSettings(world.app.service.db, world.profileId, [world.idOf('ad', ad(chance))], {
      status: chance.pick(['ACTIVE', 'PAUSED']),
    }),
  creative: (_, step) =>
    inTransaction(world.app.service.db, (tx) =>
      saveAdDetails(tx, world.profileId, [makeCreative('A1', { title: `Title ${step}` })], new Date()),
    ),
  answer: (chance, step) =>
    world.call(declareSource, {
      body: {
        answer_key: 'other',
        answer_text: `Answer ${step}`,
        customer: { email: `${chance.pick(['ana', 'bob'])}@example.com` },
        asked_at: '2026-05-09T10:00:00Z',
        idempotency_key: `answer-${step}`,
      },
    }),
  vocabulary: (_, step) =>
    world.call(saveDeclaredVocabulary, {
      body: { entries: [{ key: `own_${step}`, label_en: 'Fair', label_es: 'Feria' }] },
    }),
  channels: (chance) =>
    world.call(saveChannelRules, {
      body: {
        overrides: [{ kind: 'source', value: 'news', channel: chance.pick(['email', 'referral'] as const) }],
      },
    }),
  settings: (chance) => world.call(updateAttributionSettings, { body: { lookback_days: chance.int(1, 60) } }),
  rate: (chance) =>
    world.call(saveExchangeRate, {
      body: { currency: 'XAF', day: day(chance), rate: `0.0${chance.int(1, 9)}` },
    }),
  goal: (_, step) =>
    world.call(createGoal, {
      body: {
        display_name: `Goal ${step}`,
        conversion_key: `goal_${step}`,
        source_event_names: ['visit'],
        outcome_type: `goal_${step}`,
        revenue_type: 'pipeline',
      },
    }),
  connection: (chance, step) =>
    world.app.pool.query(`update connections set display_name = $2, status = $3 where profile_id = $1`, [
      world.profileId,
      `Account ${step}`,
      chance.pick(['connected', 'revoked']),
    ]),
  thinning: () =>
    inTransaction(world.app.service.db, (tx) =>
      thinDay(tx, {
        profileId: world.profileId,
        start: new Date(Date.now() - 86_400_000),
        end: new Date(Date.now() + 1000),
      }),
    ),
  none: async () => {},
}

async function send(body: Record<string, unknown>, chance: Random) {
  const timestamp = `${day(chance)}T${chance.int(10, 20)}:00:00Z`
  await world.call(sendEvent, { body: { ...body, timestamp } })
}

const queued = ['channels', 'settings', 'rate', 'goal']

async function settle(kind: string): Promise<void> {
  if (queued.includes(kind)) await drainJobs(world.app.service, jobs)
  await world.app.service.processor.settled(world.profileId)
}

type Copy = { etag: string | null; body: unknown }

async function get(path: string, headers: Record<string, string> = {}): Promise<Copy & { status: number }> {
  const reply = await fetch(`${world.app.baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${world.token}`, ...headers },
  })
  const text = await reply.text()
  return {
    status: reply.status,
    etag: reply.headers.get('etag'),
    body: text && withoutTime(JSON.parse(text)),
  }
}

/** While no event waits, `computed_through` is the time of the response. */
function withoutTime(body: {
  meta?: { freshness?: { computed_through?: string } }
  error?: { request_id?: string }
}) {
  if (body.error) delete body.error.request_id
  if (body.meta?.freshness) delete body.meta.freshness.computed_through
  return body
}

it('cached and unchanged responses equal computed ones', { timeout: 120_000 }, async () => {
  const questions = reportQuestions(world, world.app.service.clock.now())
  const copies = new Map<string, Copy>()
  const statuses: Record<number, number> = {}
  const kinds = Object.keys(writes)
  for (let step = 0; step < STEPS; step++) {
    const kind = step < kinds.length ? kinds[step]! : random.pick(kinds)
    const paths = Array.from({ length: 3 }, () => random.pick(questions).path)
    // Some reports are read concurrently with the write.
    const during = Promise.all(paths.slice(1).map((path) => get(path)))
    await writes[kind]!(random, step)
    await during
    await settle(kind)
    for (const path of paths) {
      const copy = copies.get(path)
      const validated = await get(path, copy?.etag ? { 'if-none-match': copy.etag } : {})
      const cached = await get(path)
      const computed = await get(path, { 'cache-control': 'no-cache' })
      const response = validated.status === 304 ? copy! : validated
      expect({ kind, path, body: response.body }).toEqual({ kind, path, body: computed.body })
      expect({ kind, path, body: cached.body }).toEqual({ kind, path, body: computed.body })
      statuses[validated.status] = (statuses[validated.status] ?? 0) + 1
      copies.set(path, { etag: computed.etag, body: computed.body })
      const repeated = await get(path, { 'if-none-match': computed.etag ?? '' })
      statuses[repeated.status] = (statuses[repeated.status] ?? 0) + 1
    }
  }
  expect(statuses[304]).toBeGreaterThan(2 * STEPS)
  expect(statuses[200]).toBeGreaterThan(STEPS)
})
