/** The state of the world after its last step, derived from the steps: live events, people, touches, outcomes, payments. */
import { dayIn, isTooFine, toMinor } from './decimal.ts'
import { Delivery } from './delivery.ts'
import {
  type BrowserRevenue,
  type CardPayment,
  defaultGoals,
  defaultSettings,
  type GoalFields,
  type Identifier,
  type Referral,
  type ServerEvent,
  type Settings,
  type Step,
  type World,
} from './history.ts'
import {
  type Conversion,
  conversionsOf,
  hasArrived,
  type MoneyStatus,
  moneyStatusOf,
  type Payment,
  paymentOf,
  type ReportedRefund,
} from './outcomes.ts'
import { customerOf, type Link, type Merge, type Node } from './people.ts'
import {
  erasedNode,
  linksOf,
  nodeOf,
  nodesOf,
  type Reported,
  reportAgain,
  reportedByBrowser,
  reportedByGateway,
  reportedByPartner,
  reportedByServer,
  type Spelling,
  type StoredEvent,
  withoutPerson,
} from './stored-events.ts'
import { type Touch, touchOf } from './touches.ts'

export class Facts {
  readonly world: World
  readonly delivery: Delivery
  readonly goals = new Map<string, GoalFields>()
  settings: Settings = { ...defaultSettings }
  private browserRevenue: BrowserRevenue = 'confirm'
  private readonly spelling: Spelling
  private readonly events = new Map<string, StoredEvent>()
  private readonly idOfKey = new Map<string, string>()
  private readonly refunds = new Map<string, ReportedRefund>()
  private readonly installments = new Set<string>()
  private readonly payers = new Map<string, Node>()
  private readonly erasedBefore = new Set<Node>()
  private readonly mergesMade = new Map<string, Merge & { undone: boolean }>()

  constructor(world: World, spelling: Spelling) {
    this.world = world
    this.spelling = spelling
    this.delivery = new Delivery(world.currency)
    for (const { key, ...fields } of defaultGoals) this.goals.set(key, fields)
  }

  /** Applies a step and returns the expected response. `ids`: the service's ids of the step's events. */
  apply(step: Step, ids: readonly (string | null)[]): unknown {
    switch (step.type) {
      case 'events':
        return this.takeEvents(step, ids)
      case 'pages': {
        const receivedAt = receipts(
          step.at,
          step.pages.map((page) => page.occurredAt),
        )
        return step.pages.map((page, index) =>
          this.keep(ids[index]!, reportedByBrowser(page), receivedAt(page.occurredAt)),
        )
      }
      case 'card':
        return this.takeCard(step.body, ids[0] ?? '', step.at)
      case 'referral':
        return this.takeReferral(step.body, ids[0] ?? '', step.at)
      case 'retract':
        return this.retract(step.key)
      case 'refund':
        return this.refund(step)
      case 'undo_refund':
        return this.withPayment(step.key, ({ id }) => (this.refunds.delete(id) ? 'ok' : 'not_found'))
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
        if (this.isCashTwice(step.key, step.fields)) return 'cash_counted_by_other_goal'
        this.goals.set(step.key, step.fields)
        return 'ok'
      case 'update_goal': {
        const goal = this.goals.get(step.key)
        if (goal === undefined) return 'not_found'
        const after = { ...goal, ...step.fields }
        const isSame = Object.keys(step.fields).length === 0
        if (!isSame && this.isCashTwice(step.key, after)) return 'cash_counted_by_other_goal'
        this.goals.set(step.key, after)
        return 'ok'
      }
      case 'delete_goal':
        return this.goals.delete(step.key) ? 'ok' : 'not_found'
      case 'settings':
        this.settings = { ...this.settings, ...step.settings }
        return 'ok'
      case 'browser_revenue':
        this.browserRevenue = step.mode
        return 'ok'
      case 'merge':
        return this.merge(step)
      case 'undo_merge': {
        const merge = this.mergesMade.get(step.name)
        if (merge === undefined || merge.undone) return 'nothing'
        merge.undone = true
        return 'ok'
      }
      case 'erase':
        return this.erase(step)
      case 'process':
        return 'ok'
    }
  }

  /** Whether another goal already counts one of the events as cash. */
  private isCashTwice(key: string, goal: GoalFields): boolean {
    if (goal.revenue_type !== 'cash') return false
    return [...this.goals].some(
      ([other, { revenue_type, source_event_names }]) =>
        other !== key &&
        revenue_type === 'cash' &&
        source_event_names.some((name) => goal.source_event_names.includes(name)),
    )
  }

  /** Events of one instant in one request are received one after the other. */
  private takeEvents(step: Step & { type: 'events' }, ids: readonly (string | null)[]): string[] {
    const instantOf = ({ timestamp }: ServerEvent) => (timestamp === undefined ? null : Date.parse(timestamp))
    const receivedAt = receipts(step.at, step.events.filter((event) => !this.isRefused(event)).map(instantOf))
    return step.events.map((event, index) => {
      if (!step.batch) return this.takeEvent(event, ids[index] ?? '', step.at)
      if (this.isRefused(event)) return 'validation_error'
      return this.takeEvent(event, ids[index] ?? '', receivedAt(instantOf(event)))
    })
  }

  private isRefused(event: ServerEvent): boolean {
    const { value, currency = this.world.currency } = event.properties ?? {}
    return value !== undefined && isTooFine(value, currency)
  }

  private keep(id: string, reported: Reported, now: number): string {
    const existing = this.events.get(id)
    if (existing === undefined) {
      this.events.set(id, { ...reported, id, recordedAt: now, at: reported.at ?? now, retracted: false })
      return 'accepted'
    }
    if (existing.retracted) return 'event_retracted'
    if (existing.erasedAs !== null) {
      const { event, isSame } = reportAgain(existing, reported, this.world.currency)
      this.events.set(id, event)
      return isSame ? 'unchanged' : 'updated'
    }
    if (existing.canonicalText === reported.canonicalText) return 'unchanged'
    Object.assign(existing, { ...reported, at: reported.at ?? existing.at })
    return 'updated'
  }

  private takeEvent(event: ServerEvent, newId: string, now: number): string {
    if (this.isRefused(event)) return 'validation_error'
    const key = event.idempotency_key
    const id = (key === undefined ? undefined : this.idOfKey.get(key)) ?? newId
    if (key !== undefined) this.idOfKey.set(key, id)
    return this.keep(id, reportedByServer(event), now)
  }

  private takeCard(card: CardPayment, id: string, now: number): string {
    if (isTooFine(card.value, card.currency)) return 'validation_error'
    if (!this.canName(card.customer ?? {})) return 'unknown_customer_ref'
    this.idOfKey.set(card.payment_id, id)
    return this.keep(id, reportedByGateway(card), now)
  }

  private takeReferral(referral: Referral, id: string, now: number): string {
    if (!this.canName(referral.customer)) return 'unknown_customer_ref'
    if (!this.delivery.entities.has(`ad:${referral.ad_id}`)) return 'unknown_ad'
    return this.keep(id, reportedByPartner(referral), now)
  }

  /** A reference alone identifies no one. */
  private canName({ external_ref, email, phone }: Referral['customer']): boolean {
    if (external_ref === undefined || email !== undefined || phone !== undefined) return true
    return this.knownNodes().has(this.nodeOf({ kind: 'external_id', value: external_ref }))
  }

  private retract(key: string): unknown {
    const event = this.events.get(this.idOfKey.get(key) ?? '')
    if (event === undefined) return 'event_not_found'
    if (event.retracted) return { status: 'already_retracted', events: 0, conversions: 0, credits: 0 }
    const conversions = this.conversions().filter((conversion) => conversion.eventId === event.id)
    event.retracted = true
    this.payers.delete(event.id)
    return {
      status: 'retracted',
      events: 1,
      conversions: conversions.length,
      credits: conversions.filter((conversion) => conversion.isEligible).length,
    }
  }

  private withPayment(key: string, act: (payment: Payment) => unknown): unknown {
    const id = this.idOfKey.get(key)
    const payment = this.payments().find((candidate) => candidate.id === id)
    return payment === undefined ? 'not_found' : act(payment)
  }

  private refund(step: Step & { type: 'refund' }): unknown {
    return this.withPayment(step.key, (payment) => {
      if (payment.refund !== null) return 'manual_refund_exists'
      if (!hasArrived(payment.status)) return 'payment_not_settled'
      if (isTooFine(step.value, payment.currency)) return 'amount_invalid'
      const value = toMinor(step.value, payment.currency)
      if (value <= 0n || value > payment.value) return 'amount_invalid'
      const at = step.occurredAt ?? step.at
      if (at < payment.at || at > step.at) return 'validation_error'
      this.refunds.set(payment.id, { at, value, currency: payment.currency })
      return 'ok'
    })
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
    const nodes = this.knownNodes()
    const [from, into] = [this.nodeOf(step.from), this.nodeOf(step.into)]
    if (!nodes.has(from) || !nodes.has(into)) return 'nothing'
    const [source, target] = [this.customerOf(from), this.customerOf(into)]
    if (source === target) return 'nothing'
    this.mergesMade.set(step.name, { from: source, into: target, at: step.at, undone: false })
    return 'ok'
  }

  /** Makes all existing events of the person anonymous. */
  private erase(step: Step & { type: 'erase' }): unknown {
    const node = this.nodeOf(step.who)
    if (!this.knownNodes().has(node)) return this.erasedBefore.has(node) ? 'known' : 'customer_not_found'
    const [links, merges] = [this.links(), this.merges()]
    const person = this.customerOf(node, links, merges)
    const isTheirs = (other: Node) => this.customerOf(other, links, merges) === person
    const erasedAs = erasedNode(step.name)
    for (const event of this.live())
      if (isTheirs(this.ownerOf(event))) this.events.set(event.id, withoutPerson(event, erasedAs))
    for (const [id, payer] of this.payers) if (isTheirs(payer)) this.payers.set(id, erasedAs)
    for (const [name, { from, into }] of this.mergesMade)
      if (isTheirs(from) || isTheirs(into)) this.mergesMade.delete(name)
    this.erasedBefore.add(node)
    return 'ok'
  }

  private nodeOf(identifier: Identifier): Node {
    return nodeOf(identifier, this.spelling)
  }

  private ownerOf(event: StoredEvent): Node {
    return nodesOf(event, this.spelling)[0]!
  }

  private live(): StoredEvent[] {
    return [...this.events.values()].filter((event) => !event.retracted)
  }

  links(): Link[] {
    return this.live().flatMap((event) => linksOf(event, this.spelling))
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

  /** Identifiers with a link, trait, touch, outcome, payer or merge. */
  knownNodes(): Set<Node> {
    const nodes = new Set<Node>()
    for (const { weak, strong } of this.links()) nodes.add(weak).add(strong)
    // The identifiers of a payment's event are known, and so is an assigned payer.
    for (const event of this.live())
      if (Object.keys(event.body.user_traits ?? {}).length > 0 || this.paymentOf(event) !== null)
        nodes.add(this.ownerOf(event))
    for (const touch of this.touches()) nodes.add(touch.node)
    for (const conversion of this.conversions()) nodes.add(conversion.node)
    for (const payment of this.payments()) nodes.add(payment.node)
    for (const payer of this.payers.values()) nodes.add(payer)
    for (const { from, into } of this.mergesMade.values()) nodes.add(from).add(into)
    return nodes
  }

  touches(): Touch[] {
    return this.live().flatMap((event) => touchOf(event, this.ownerOf(event)) ?? [])
  }

  conversions(): Conversion[] {
    return this.live().flatMap((event) =>
      conversionsOf(
        event,
        this.paymentOf(event),
        this.ownerOf(event),
        this.goals,
        this.world,
        this.moneyStatusOf(event),
      ),
    )
  }

  payments(): Payment[] {
    return this.live().flatMap((event) => this.paymentOf(event) ?? [])
  }

  private moneyStatusOf(event: StoredEvent): MoneyStatus {
    return moneyStatusOf(event, this.live(), this.goals, this.world, this.browserRevenue)
  }

  private paymentOf(event: StoredEvent): Payment | null {
    return paymentOf(event, this.ownerOf(event), this.goals, this.world, {
      payer: this.payers.get(event.id),
      moneyStatus: this.moneyStatusOf(event),
      isInstallment: this.installments.has(event.id),
      refund: this.refunds.get(event.id) ?? null,
    })
  }
}

/** Receive times of a request's events: the last event of an instant gets the request's time; null represents events without a time. */
function receipts(now: number, instants: readonly (number | null)[]): (instant: number | null) => number {
  const remaining = new Map<number | null, number>()
  for (const instant of instants) remaining.set(instant, (remaining.get(instant) ?? 0) + 1)
  return (instant) => {
    const later = remaining.get(instant)! - 1
    remaining.set(instant, later)
    return now - later
  }
}
