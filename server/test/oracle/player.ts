/** Feeds a world to the service through its public routes and returns the responses. */
import { sql } from 'kysely'
import type { JobContext } from '../../src/context.ts'
import {
  type ChannelOverride,
  saveChannelRules,
} from '../../src/features/attribution/channel-rules/contract.ts'
import {
  startRecompute,
  updateAttributionSettings,
} from '../../src/features/attribution/crediting/contract.ts'
import { recomputeProfile } from '../../src/features/attribution/crediting/recompute-job.ts'
import { loadAttributionProfile } from '../../src/features/attribution/crediting/settings.ts'
import {
  createGoal,
  deleteGoal,
  listGoals,
  updateGoal,
} from '../../src/features/corrections/goals/contract.ts'
import { mergeCustomers, undoMerge } from '../../src/features/corrections/identity-review/merges.ts'
import {
  deleteRefund,
  recordRefund,
  reportCardGatewayPayment,
  setInstallment,
  setPayer,
} from '../../src/features/corrections/payments/contract.ts'
import { retractEvent } from '../../src/features/corrections/retractions/contract.ts'
import { sendEvent, sendEvents } from '../../src/features/facts/events/contract.ts'
import { eventIdOf } from '../../src/features/facts/events/rules.ts'
import { identifierId } from '../../src/features/facts/identity/identifiers.ts'
import { sendAdReferral } from '../../src/features/insights/people-reached/contract.ts'
import { importSpend } from '../../src/features/sources/imports/contract.ts'
import { issueTrackingKey, updateTrackingSettings } from '../../src/features/sources/tracking/contract.ts'
import { type Client, ClientError } from '../../src/platform/contract/client.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { inTransaction } from '../../src/platform/db/database.ts'
import { createCheckedClient } from '../answers.ts'
import type { TestApp } from '../app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../make.ts'
import { makeWirePage } from '../wire-page.ts'
import { eraseIn } from './erasing.ts'
import {
  type CardPayment,
  type Identifier,
  type IdentifierKind,
  type Page,
  type Referral,
  rates,
  type ServerEvent,
  type Settings,
  type Step,
  type World,
} from './history.ts'
import type { Spelling } from './stored-events.ts'

const PROFILES_PER_WORKSPACE = 45

/** One service with a controlled clock, and a new profile for each world. */
export class Stage {
  readonly app: TestApp
  private owner: Person | undefined
  private workspaceId: string | undefined
  private profiles = 0

  constructor(app: TestApp) {
    this.app = app
  }

  async open(): Promise<void> {
    this.owner = await makePerson(this.app)
    await sql`
      insert into fx_rates (day, base, currency, rate)
      select day, 'EUR', currency, rate from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb)
        as r(day date, currency text, rate numeric)
      on conflict do nothing`.execute(this.app.service.db)
  }

  /** The workspace of the worlds, with its owner. */
  get workspace(): { owner: Person; workspaceId: string } {
    return { owner: this.owner!, workspaceId: this.workspaceId! }
  }

  async enter(world: World): Promise<Player> {
    // Rate limits need a clock that never goes back, but each world has its own time.
    this.app.service.clock.now = () => new Date()
    if (this.profiles++ % PROFILES_PER_WORKSPACE === 0)
      this.workspaceId = await makeWorkspace(this.owner!, 'agency')
    const profileId = await makeProfile(this.owner!, this.workspaceId!, {
      timezone: world.zone,
      currency: world.currency,
    })
    const key = await makeKey(this.app, profileId, [
      'events:write',
      'campaigns:read',
      'campaigns:apply',
      'conversions:read',
      'analytics:read',
      'tracking:read',
      'tracking:write',
      'payments:read',
      'payments:write',
    ])
    const call = createCheckedClient({ ...this.app, token: key })
    this.app.service.clock.now = () => new Date(world.steps[0]?.at ?? 0)
    const tracking = await call(issueTrackingKey)
    return new Player(this.app, profileId, call, tracking.data.key)
  }
}

type PaymentStep = Extract<Step, { type: 'refund' | 'undo_refund' | 'installment' | 'payer' }>

export type Answer = { response: unknown; ids: (string | null)[] }

export class Player {
  readonly app: TestApp
  readonly profileId: string
  readonly call: Client
  private readonly trackingKey: string
  private readonly cardIds = new Map<string, string>()
  private readonly mergeIds = new Map<string, string>()
  private now = 0

  constructor(app: TestApp, profileId: string, call: Client, trackingKey: string) {
    this.app = app
    this.profileId = profileId
    this.call = call
    this.trackingKey = trackingKey
  }

  readonly spelling: Spelling = (kind, value) =>
    identifierId(kind, value, this.profileId, this.app.service.identityPepper)

  async play(step: Step): Promise<Answer> {
    this.now = step.at
    this.app.service.clock.now = () => new Date(step.at)
    if (waits.has(step.type)) await this.settle()
    switch (step.type) {
      case 'events':
        return step.batch ? this.sendBatch(step.events) : this.sendEach(step.events)
      case 'pages':
        return this.sendPages(step.pages)
      case 'card':
        return this.sendCard(step.body)
      case 'referral':
        return this.sendReferral(step.body)
      case 'retract':
        return {
          response: await this.ask(this.call(retractEvent, { body: { idempotency_key: step.key } })),
          ids: [],
        }
      case 'spend': {
        const { data } = await this.call(importSpend, { body: { rows: step.rows } })
        return { response: data, ids: [] }
      }
      case 'create_goal':
        return { response: await this.createGoal(step), ids: [] }
      case 'update_goal':
      case 'delete_goal':
        return this.changeGoal(step)
      case 'browser_revenue':
        await this.call(updateTrackingSettings, { body: { browser_revenue: step.mode } })
        return ok
      case 'merge':
        return { response: await this.merge(step), ids: [] }
      case 'undo_merge':
        return { response: await this.undoMerge(step.name), ids: [] }
      case 'erase':
        return { response: await eraseIn(this.app, this.profileId, step.who), ids: [] }
      case 'refund':
      case 'undo_refund':
      case 'installment':
      case 'payer':
        return { response: await this.changePayment(step), ids: [] }
      case 'settings':
        return { response: await this.changeSettings(step.settings), ids: [] }
      case 'process':
        return ok
    }
  }

  settle(): Promise<void> {
    return this.app.service.processor.settled(this.profileId)
  }

  private async sendEach(events: readonly ServerEvent[]): Promise<Answer> {
    const response: unknown[] = []
    const ids: (string | null)[] = []
    for (const body of events) {
      const answer = await this.ask(this.call(sendEvent, { body }))
      response.push(typeof answer === 'string' ? answer : answer.status)
      ids.push(typeof answer === 'string' ? null : answer.event_id)
    }
    return { response, ids }
  }

  private async sendBatch(events: ServerEvent[]): Promise<Answer> {
    const { data } = await this.call(sendEvents, { body: { events } })
    return {
      response: data.results.map((result) => result.error?.reason ?? result.error?.code ?? result.status),
      ids: data.results.map((result) => result.event_id),
    }
  }

  private async sendCard(body: CardPayment): Promise<Answer> {
    const answer = await this.ask(this.call(reportCardGatewayPayment, { body }))
    if (typeof answer === 'string') return { response: answer, ids: [null] }
    this.cardIds.set(body.payment_id, answer.payment_id)
    return { response: answer.status, ids: [answer.payment_id] }
  }

  private async sendReferral(body: Referral): Promise<Answer> {
    const answer = await this.ask(this.call(sendAdReferral, { body }))
    if (typeof answer === 'string') return { response: answer, ids: [null] }
    return { response: answer.status, ids: [answer.event_id] }
  }

  private async sendPages(pages: readonly Page[]): Promise<Answer> {
    const reply = await this.app.fetch(`${this.app.baseUrl}/api/tracking/collect`, {
      method: 'POST',
      headers: {
        'content-type': 'text/plain',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      },
      body: JSON.stringify({
        key: this.trackingKey,
        events: pages.map((page) => this.toWire(page, this.now)),
      }),
    })
    const answer = (await reply.json()) as { data?: { accepted: number } }
    if (answer.data?.accepted !== pages.length) throw new Error(`Pages refused: ${JSON.stringify(answer)}`)
    const { rows } = await sql<{ id: string; external_id: string }>`
      select id, external_id from events where profile_id = ${this.profileId} and source = 'tracker'
        and external_id = any(${pages.map((page) => page.event_id)}::text[])`.execute(this.app.service.db)
    const idOf = new Map(rows.map((row) => [row.external_id, row.id]))
    return { response: pages.map(() => 'accepted'), ids: pages.map((page) => idOf.get(page.event_id)!) }
  }

  toWire({ occurredAt, email, purchase, ...page }: Page, sentAt: number) {
    return makeWirePage({
      ...page,
      ...(purchase === undefined
        ? {}
        : { type: 'purchase' as const, event_name: 'payment_received', properties: purchase }),
      occurred_at: new Date(occurredAt).toISOString(),
      sent_at: new Date(sentAt).toISOString(),
      user_traits: email === undefined ? {} : { email },
    })
  }

  /** The data of a response, or the reason or code of a refusal. */
  private async ask<T>(call: Promise<{ data: T }>): Promise<T | string> {
    try {
      return (await call).data
    } catch (error) {
      if (error instanceof ClientError) return error.body.error.reason ?? error.code
      throw error
    }
  }

  async changePayment(step: PaymentStep): Promise<string> {
    const params = { payment_id: this.cardIds.get(step.key) ?? eventIdOf(this.profileId, step.key) }
    const response = await this.ask(this.change(step, params))
    return typeof response === 'string' ? response : 'ok'
  }

  private async change(step: PaymentStep, params: { payment_id: string }) {
    if (step.type === 'undo_refund') return this.call(deleteRefund, { params })
    if (step.type === 'installment')
      return this.call(setInstallment, { params, body: { is_installment: step.isInstallment } })
    if (step.type === 'refund') {
      const at = step.occurredAt === null ? {} : { refunded_at: new Date(step.occurredAt).toISOString() }
      return this.call(recordRefund, { params, body: { amount: step.value, ...at } })
    }
    if (step.payer === null) return this.call(setPayer, { params, body: { customer_id: null } })
    if (step.payer.kind === 'email') return this.call(setPayer, { params, body: { email: step.payer.value } })
    // An unknown id is refused like one of another profile.
    const customer_id = (await this.customerIdOf(step.payer)) ?? this.profileId
    return this.call(setPayer, { params, body: { customer_id } })
  }

  async changeSettings(settings: Partial<Settings>): Promise<string> {
    const { data } = await this.call(updateAttributionSettings, {
      body: {
        ...(settings.lookbackDays === undefined ? {} : { lookback_days: settings.lookbackDays }),
        ...(settings.firstTouchLookbackDays === undefined
          ? {}
          : { first_touch_lookback_days: settings.firstTouchLookbackDays }),
        ...(settings.halfLifeDays === undefined ? {} : { half_life_days: settings.halfLifeDays }),
      },
    })
    if (data.recompute !== null) await this.runRecompute(data.recompute.recompute_id)
    return 'ok'
  }

  async recompute(): Promise<void> {
    const { data } = await this.call(startRecompute, { body: {} })
    await this.runRecompute(data.recompute_id)
  }

  async saveChannelRules(overrides: ChannelOverride[]): Promise<void> {
    const { data } = await this.call(saveChannelRules, { body: { overrides } })
    if (data.recompute !== null) await this.runRecompute(data.recompute.recompute_id)
  }

  /** Runs the job immediately, like a worker. */
  private async runRecompute(id: string): Promise<void> {
    const { service } = this.app
    const context = { service, db: service.db, profileId: this.profileId, now: service.clock.now() }
    await recomputeProfile.run(context as JobContext, { recompute_id: id })
  }

  private async changeGoal(step: Step & { type: 'update_goal' | 'delete_goal' }): Promise<Answer> {
    const { data: goals } = await this.call(listGoals)
    const goal = goals.find((row) => row.conversion_key === step.key)
    if (goal === undefined) return { response: 'not_found', ids: [] }
    const params = { id: goal.id }
    if (step.type === 'delete_goal') {
      await this.call(deleteGoal, { params })
      return ok
    }
    const response = await this.ask(this.call(updateGoal, { params, body: step.fields }))
    return { response: typeof response === 'string' ? response : 'ok', ids: [] }
  }

  private async createGoal({ key, fields }: Step & { type: 'create_goal' }): Promise<string> {
    const body = { display_name: key, conversion_key: key, ...fields }
    const response = await this.ask(this.call(createGoal, { body }))
    return typeof response === 'string' ? response : 'ok'
  }

  private async customerIdOf({ kind, value }: Identifier): Promise<string | undefined> {
    const id = this.spelling(kind as IdentifierKind, value)
    const { rows } = await sql<{ customer_id: string }>`
      select customer_id from identifiers where profile_id = ${this.profileId} and id = ${id}`.execute(
      this.app.service.db,
    )
    return rows[0]?.customer_id
  }

  private async merge(step: Step & { type: 'merge' }): Promise<string> {
    const fromCustomerId = await this.customerIdOf(step.from)
    const intoCustomerId = await this.customerIdOf(step.into)
    if (fromCustomerId === undefined || intoCustomerId === undefined || fromCustomerId === intoCustomerId)
      return 'nothing'
    const id = uuidv7(new Date(this.now))
    this.mergeIds.set(step.name, id)
    await inTransaction(this.app.service.db, async (tx) => {
      const profile = await loadAttributionProfile(tx, this.profileId)
      await mergeCustomers(tx, profile, {
        id,
        fromCustomerId,
        intoCustomerId,
        by: null,
        now: new Date(this.now),
      })
    })
    return 'ok'
  }

  private async undoMerge(name: string): Promise<string> {
    const id = this.mergeIds.get(name)
    if (id === undefined) return 'nothing'
    const undone = await inTransaction(this.app.service.db, async (tx) => {
      const profile = await loadAttributionProfile(tx, this.profileId)
      return undoMerge(tx, profile, { id, by: null, now: new Date(this.now) })
    })
    return undone ? 'ok' : 'nothing'
  }

  /** `<event id> <goal key>` of each conversion. */
  async conversionNames(): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string; event_id: string; conversion_key: string }>`
      select c.id, c.event_id, g.conversion_key from conversions c
      join goals g on g.profile_id = ${this.profileId} and g.id = c.goal_id
      where c.profile_id = ${this.profileId}`.execute(this.app.service.db)
    return new Map(rows.map((row) => [row.id, `${row.event_id} ${row.conversion_key}`]))
  }
}

/** Steps that need all earlier events processed, because they refer to their results. */
const waits = new Set<Step['type']>([
  'card',
  'referral',
  'refund',
  'undo_refund',
  'installment',
  'payer',
  'merge',
  'undo_merge',
  'process',
  'retract',
])

const ok: Answer = { response: 'ok', ids: [] }
