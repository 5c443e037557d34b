/** Replays a history into what is true at its end: events as last told, people, touches, conversions, payments. */
import { dayIn, exchange, toMinor } from './decimal.ts'
import { Delivery } from './delivery.ts'
import {
  defaultGoals,
  defaultSettings,
  type GoalFields,
  type Identifier,
  type IdentifierKind,
  type Page,
  type RevenueType,
  rates,
  type ServerEvent,
  type Settings,
  type Step,
  type World,
} from './history.ts'
import { customerOf, type Link, type Merge, type Node } from './people.ts'

const ranks: Record<IdentifierKind, number> = { external_id: 0, email: 3, phone: 4, anonymous_id: 5 }
const UNKNOWN_RANK = 6
const clickPlatforms: [kind: string, platform: string][] = [
  ['gclid', 'engine'],
  ['fbclid', 'social'],
  ['ttclid', 'shortvideo'],
  ['msclkid', 'microsoft'],
]

export type Touch = {
  id: string
  at: number
  recordedAt: number
  isDirect: boolean
  platform: string | null
  origin: 'web' | 'other'
  node: Node
  named: { campaign: string | null; adSet: string | null; ad: string | null }
}

export type Conversion = {
  /** `<event id> <goal key>`. */
  name: string
  eventId: string
  goal: string
  node: Node
  at: number
  recordedAt: number
  day: string
  outcomeType: string
  revenueType: RevenueType
  isEligible: boolean
  value: bigint | null
  currency: string | null
  /** In the report currency; null without money or without a rate. */
  report: bigint | null
  fxMissing: boolean
  refunds: { day: string; report: bigint | null }[]
}

export type Payment = {
  id: string
  at: number
  recordedAt: number
  node: Node
  isAssigned: boolean
  value: bigint
  currency: string
  subject: string | null
  isApi: boolean
  isInstallment: boolean
  refund: Refund | null
}

export type Refund = { at: number; value: bigint; currency: string }

type Kept = {
  id: string
  recordedAt: number
  at: number
  name: string
  body: ServerEvent
  page: Page | null
  retracted: boolean
}

/** What the harness knows and the oracle cannot: how the service spells an identifier for comparing two of them. */
export type Spelling = (kind: IdentifierKind, value: string) => string

export class Facts {
  readonly world: World
  readonly delivery: Delivery
  readonly goals = new Map<string, GoalFields>()
  settings: Settings = { ...defaultSettings }
  private readonly spelling: Spelling
  private readonly events = new Map<string, Kept>()
  private readonly idOfKey = new Map<string, string>()
  private readonly refunds = new Map<string, Refund>()
  private readonly installments = new Set<string>()
  private readonly payers = new Map<string, Node>()
  private readonly mergesMade = new Map<string, Merge & { undone: boolean }>()

  constructor(world: World, spelling: Spelling) {
    this.world = world
    this.spelling = spelling
    this.delivery = new Delivery(world.currency)
    for (const { key, ...fields } of defaultGoals) this.goals.set(key, fields)
  }

  /** Takes one step in and says what the service should have answered. `ids` are those it gave to the step's events. */
  apply(step: Step, ids: readonly (string | null)[]): unknown {
    switch (step.type) {
      case 'events':
        return step.events.map((event, index) => this.takeEvent(event, ids[index] ?? '', step.at))
      case 'pages':
        return step.pages.map((page, index) => this.takePage(page, ids[index]!, step.at))
      case 'retract':
        return this.retract(step.key)
      case 'refund':
        return this.refund(step)
      case 'undo_refund':
        return this.undoRefund(step.key)
      case 'installment':
        return this.withPayment(step.key, (payment) => {
          if (step.isInstallment) this.installments.add(payment.id)
          else this.installments.delete(payment.id)
          return 'ok'
        })
      case 'payer':
        return this.assignPayer(step.key, step.payer)
      case 'spend':
        return this.delivery.take(step.rows)
      case 'create_goal':
        this.goals.set(step.key, step.fields)
        return 'ok'
      case 'update_goal': {
        const goal = this.goals.get(step.key)
        if (goal === undefined) return 'not_found'
        this.goals.set(step.key, { ...goal, ...step.fields })
        return 'ok'
      }
      case 'delete_goal':
        return this.goals.delete(step.key) ? 'ok' : 'not_found'
      case 'settings':
        this.settings = { ...this.settings, ...step.settings }
        return 'ok'
      case 'merge':
        return this.merge(step)
      case 'undo_merge': {
        const merge = this.mergesMade.get(step.name)
        if (merge === undefined || merge.undone) return 'nothing'
        merge.undone = true
        return 'ok'
      }
      case 'process':
        return 'ok'
    }
  }

  private takeEvent(event: ServerEvent, id: string, at: number): string {
    const time = event.timestamp === undefined ? null : Date.parse(event.timestamp)
    const key = event.idempotency_key
    const known = key === undefined ? undefined : this.events.get(this.idOfKey.get(key) ?? '')
    if (known === undefined) {
      if (key !== undefined) this.idOfKey.set(key, id)
      this.events.set(id, {
        id,
        recordedAt: at,
        at: time ?? at,
        name: event.event_name,
        body: event,
        page: null,
        retracted: false,
      })
      return 'accepted'
    }
    if (known.retracted) return 'event_retracted'
    if (JSON.stringify(sorted(known.body)) === JSON.stringify(sorted(event))) return 'unchanged'
    Object.assign(known, { at: time ?? known.at, name: event.event_name, body: event })
    return 'updated'
  }

  private takePage(page: Page, id: string, at: number): string {
    const { email, anonymous_id } = page
    const body: ServerEvent = {
      event_name: 'page_view',
      anonymous_id,
      ...(email === undefined ? {} : { user_traits: { email } }),
      utm: page.utm,
      click_ids: page.click_ids,
      ad: page.ad,
    }
    this.events.set(id, {
      id,
      recordedAt: at,
      at: page.occurredAt,
      name: 'page_view',
      body,
      page,
      retracted: false,
    })
    return 'accepted'
  }

  private retract(key: string): unknown {
    const event = this.events.get(this.idOfKey.get(key) ?? '')
    if (event === undefined) return 'event_not_found'
    if (event.retracted) return { status: 'already_retracted', events: 0, conversions: 0, credits: 0 }
    const own = this.conversions().filter((conversion) => conversion.eventId === event.id)
    event.retracted = true
    this.payers.delete(event.id)
    return {
      status: 'retracted',
      events: 1,
      conversions: own.length,
      credits: own.filter((conversion) => conversion.isEligible).length,
    }
  }

  private withPayment(key: string, act: (payment: Payment) => unknown): unknown {
    const id = this.idOfKey.get(key)
    const payment = this.payments().find((own) => own.id === id)
    return payment === undefined ? 'not_found' : act(payment)
  }

  private refund(step: Step & { type: 'refund' }): unknown {
    return this.withPayment(step.key, (payment) => {
      if (payment.refund !== null) return 'manual_refund_exists'
      const value = toMinor(step.value, payment.currency)
      if (value <= 0n || value > payment.value) return 'amount_invalid'
      const at = step.occurredAt ?? step.at
      if (at < payment.at || at > step.at) return 'validation_error'
      this.refunds.set(payment.id, { at, value, currency: payment.currency })
      return 'ok'
    })
  }

  private undoRefund(key: string): unknown {
    return this.withPayment(key, (payment) => (this.refunds.delete(payment.id) ? 'ok' : 'not_found'))
  }

  private assignPayer(key: string, payer: Identifier | null): unknown {
    return this.withPayment(key, (payment) => {
      if (payer === null) this.payers.delete(payment.id)
      else {
        const node = this.nodeOf(payer)
        if (!this.knownNodes().has(node)) return 'customer_not_in_profile'
        this.payers.set(payment.id, this.customerOf(node))
      }
      return 'ok'
    })
  }

  private merge(step: Step & { type: 'merge' }): unknown {
    const known = this.knownNodes()
    const [from, into] = [this.nodeOf(step.from), this.nodeOf(step.into)]
    if (!known.has(from) || !known.has(into)) return 'nothing'
    const [source, target] = [this.customerOf(from), this.customerOf(into)]
    if (source === target) return 'nothing'
    this.mergesMade.set(step.name, { from: source, into: target, at: step.at, undone: false })
    return 'ok'
  }

  private nodeOf({ kind, value }: Identifier): Node {
    return `${ranks[kind]}:${this.spelling(kind, normal(kind, value))}`
  }

  private live(): Kept[] {
    return [...this.events.values()].filter((event) => !event.retracted)
  }

  /** Strongest first. */
  private nodesOf(event: Kept): Node[] {
    const { anonymous_id, user_traits = {} } = event.body
    const given: Identifier[] = []
    if (user_traits.external_id !== undefined)
      given.push({ kind: 'external_id', value: user_traits.external_id })
    if (user_traits.email !== undefined) given.push({ kind: 'email', value: user_traits.email })
    if (user_traits.phone !== undefined) given.push({ kind: 'phone', value: user_traits.phone })
    if (anonymous_id !== undefined) given.push({ kind: 'anonymous_id', value: anonymous_id })
    const nodes = given.map((identifier) => this.nodeOf(identifier))
    return nodes.length === 0 ? [`${UNKNOWN_RANK}:${event.id}`] : nodes
  }

  links(): Link[] {
    return this.live().flatMap((event) => {
      const [strong, ...weaker] = this.nodesOf(event)
      return weaker.map((weak) => ({ weak, strong: strong!, at: event.at }))
    })
  }

  merges(): Merge[] {
    return [...this.mergesMade.values()].filter((merge) => !merge.undone)
  }

  customerOf(node: Node, links = this.links(), merges = this.merges()): Node {
    return customerOf(node, links, merges)
  }

  dayOf(time: number): string {
    return dayIn(this.world.zone, time)
  }

  /** Identifiers that something is known of: a link, a trait, a touch, an outcome, a merchant's or a reviewer's word. */
  knownNodes(): Set<Node> {
    const known = new Set<Node>()
    for (const { weak, strong } of this.links()) known.add(weak).add(strong)
    for (const event of this.live())
      if (Object.keys(event.body.user_traits ?? {}).length > 0) known.add(this.nodesOf(event)[0]!)
    for (const touch of this.touches()) known.add(touch.node)
    for (const conversion of this.conversions()) known.add(conversion.node)
    for (const payment of this.payments()) known.add(payment.node)
    for (const payer of this.payers.values()) known.add(payer)
    for (const { from, into } of this.mergesMade.values()) known.add(from).add(into)
    return known
  }

  touches(): Touch[] {
    return this.live().flatMap((event) => {
      const { utm = {}, click_ids = {}, ad = {} } = event.body
      const tagged = [utm, click_ids, ad].some((words) => Object.keys(words).length > 0)
      const { page } = event
      const came = page !== null && page.referrer !== '' && !page.referrer.startsWith('https://shop.example')
      if (!tagged && !came && page?.session_start !== true) return []
      const click = clickPlatforms.find(([kind]) => click_ids[kind] !== undefined)
      return {
        id: event.id,
        at: event.at,
        recordedAt: event.recordedAt,
        isDirect: !tagged && !came,
        platform: click === undefined ? null : click[1],
        origin: page === null ? ('other' as const) : ('web' as const),
        node: this.nodesOf(event)[0]!,
        named: {
          campaign: ad.campaign_id ?? null,
          adSet: ad.ad_set_id ?? null,
          ad: ad.ad_id ?? null,
        },
      }
    })
  }

  private moneyOf(event: Kept): { value: bigint; currency: string } | null {
    const { value, currency = this.world.currency } = event.body.properties ?? {}
    return value === undefined ? null : { value: toMinor(value, currency), currency }
  }

  conversions(): Conversion[] {
    const paid = new Map(this.payments().map((payment) => [payment.id, payment]))
    return this.live().flatMap((event) =>
      [...this.goals].flatMap(([goal, fields]): Conversion[] => {
        if (!fields.source_event_names.includes(event.name)) return []
        const day = dayIn(this.world.zone, event.at)
        const money = this.moneyOf(event)
        const report = money === null ? null : this.inReport(money.value, money.currency, day)
        const payment = paid.get(event.id)
        const refund = fields.revenue_type === 'cash' ? payment?.refund : null
        const refunds = [refund ?? []].flat().map(({ at, value, currency }) => {
          const refundDay = dayIn(this.world.zone, at)
          return { day: refundDay, report: this.inReport(value, currency, refundDay) }
        })
        return [
          {
            name: `${event.id} ${goal}`,
            eventId: event.id,
            goal,
            node: payment?.node ?? this.nodesOf(event)[0]!,
            at: event.at,
            recordedAt: event.recordedAt,
            day,
            outcomeType: fields.outcome_type,
            revenueType: fields.revenue_type,
            isEligible: fields.attribution_eligible,
            value: money?.value ?? null,
            currency: money?.currency ?? null,
            report,
            fxMissing: (money !== null && report === null) || refunds.some((own) => own.report === null),
            refunds,
          },
        ]
      }),
    )
  }

  private inReport(value: bigint, currency: string, day: string): bigint | null {
    return exchange(value, currency, this.world.currency, day, rates)
  }

  payments(): Payment[] {
    return this.live().flatMap((event) => {
      const money = this.moneyOf(event)
      const isCash = [...this.goals.values()].some(
        (goal) => goal.revenue_type === 'cash' && goal.source_event_names.includes(event.name),
      )
      if (money === null || !isCash) return []
      return {
        id: event.id,
        at: event.at,
        recordedAt: event.recordedAt,
        node: this.payers.get(event.id) ?? this.nodesOf(event)[0]!,
        isAssigned: this.payers.has(event.id),
        ...money,
        subject: event.body.properties?.subject_ref ?? null,
        isApi: event.page === null,
        isInstallment: this.installments.has(event.id),
        refund: this.refunds.get(event.id) ?? null,
      }
    })
  }
}

function normal(kind: IdentifierKind, value: string): string {
  switch (kind) {
    case 'email':
      return value.trim().toLowerCase()
    case 'phone':
      return `+${value.replace(/^00/, '').replace(/\D/g, '')}`
    case 'external_id':
    case 'anonymous_id':
      return value.trim()
  }
}

/** Keys in one order at every depth, so that two equal bodies read alike. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
