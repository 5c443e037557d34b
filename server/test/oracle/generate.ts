/** Generates a random world: small, but dense in ties, edges of windows and days, shared identifiers and corrections. */
import { makePeople, makeSpendRow, makeStructure, nameAd, type Structure } from './cast.ts'
import { DAY, inCurrency } from './decimal.ts'
import { EventMaker, outcomeNames } from './event-maker.ts'
import type {
  CardPayment,
  GoalFields,
  Referral,
  RevenueType,
  ServerEvent,
  SpendRow,
  Step,
  World,
} from './history.ts'
import { createRandom, type Random } from './random.ts'

/** Time zones, each with a clock change around which the world happens, and some without one. */
const zones: [zone: string, anchor: string][] = [
  ['Europe/Madrid', '2026-03-29'],
  ['America/New_York', '2026-03-08'],
  ['America/Santiago', '2026-04-05'],
  ['Pacific/Auckland', '2026-04-05'],
  ['America/St_Johns', '2026-03-08'],
  ['Asia/Kathmandu', '2026-03-15'],
  ['Pacific/Kiritimati', '2026-03-20'],
  ['UTC', '2026-03-31'],
]
/** `actions`: number of actions; a few by default. */
export function makeWorld(seed: number, actions?: number): World {
  return new WorldMaker(seed).make(actions)
}

class WorldMaker {
  private readonly random: Random
  /** Separate generators, so that erasures and refunds do not change the rest of a world. */
  private readonly erasing: Random
  private readonly givingBack: Random
  private readonly seed: number
  private readonly zone: string
  private readonly anchor: number
  private readonly currency: string
  private readonly structure: Structure
  private readonly steps: Step[] = []
  private readonly events: EventMaker
  private readonly sent = new Map<string, ServerEvent>()
  private readonly cards = new Map<string, CardPayment>()
  private readonly referrals: Referral[] = []
  private readonly goals: string[] = []
  private readonly merges: string[] = []
  private at: number

  constructor(seed: number) {
    this.seed = seed
    this.random = createRandom(seed)
    this.erasing = createRandom(seed + 1_000_003)
    this.givingBack = createRandom(seed + 2_000_003)
    const [zone, anchor] = this.random.pick(zones)
    this.zone = zone
    this.anchor = Date.parse(`${anchor}T00:00:00Z`)
    this.at = this.anchor + 60 * DAY + this.random.int(0, DAY)
    this.currency = this.random.pick(['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'BHD'])
    const people = makePeople(this.random)
    this.structure = makeStructure(this.random)
    this.events = new EventMaker(this.random, {
      anchor: this.anchor,
      people,
      structure: this.structure,
      currency: this.currency,
    })
  }

  make(actions?: number): World {
    const { random } = this
    if (random.chance(0.3)) this.changeSettings()
    if (random.chance(0.35)) this.createGoal()
    if (random.chance(0.6)) this.importSpend()
    if (random.chance(0.06)) this.crowd()
    const early = random.int(6, 22)
    const late = random.int(0, 5)
    for (let remaining = actions ?? early; remaining > 0; remaining--) {
      this.act()
      if (this.erasing.chance(0.02)) this.erase()
      if (this.givingBack.chance(0.12)) this.giveBack()
    }
    for (let remaining = actions === undefined ? late : actions / 2; remaining > 0; remaining--) {
      this.actLate()
      if (this.erasing.chance(0.04)) this.erase()
    }
    return { seed: this.seed, zone: this.zone, currency: this.currency, steps: this.steps }
  }

  private act(): void {
    const roll = this.random.next()
    if (roll < 0.2) this.send([this.events.visit()])
    else if (roll < 0.34) this.browse()
    else if (roll < 0.5) this.send([this.events.outcome()])
    else if (roll < 0.68) this.send([this.events.payment()])
    else if (roll < 0.72) this.payByCard()
    else if (roll < 0.78) this.send([this.events.identify()])
    else if (roll < 0.84)
      this.send(Array.from({ length: this.random.int(2, 5) }, () => this.events.anyEvent()))
    else if (roll < 0.88) this.sendAgain()
    else if (roll < 0.93) this.update()
    else if (roll < 0.96) this.refer()
    else if (roll < 0.98) this.importSpend()
    else this.push({ type: 'process' })
  }

  /** Actions that refer to earlier events. */
  private actLate(): void {
    const { random } = this
    const roll = random.next()
    const key = this.someKey()
    if (roll < 0.14 && key !== undefined) this.push({ type: 'retract', key })
    else if (roll < 0.34) this.refund()
    else if (roll < 0.44)
      this.withPayment((paymentKey) => this.push({ type: 'undo_refund', key: paymentKey }))
    else if (roll < 0.54)
      this.withPayment((paymentKey) =>
        this.push({ type: 'installment', key: paymentKey, isInstallment: random.chance(0.8) }),
      )
    else if (roll < 0.64)
      this.withPayment((paymentKey) =>
        this.push({
          type: 'payer',
          key: paymentKey,
          payer: random.chance(0.85) ? this.events.someIdentifier() : null,
        }),
      )
    else if (roll < 0.78) this.merge()
    else if (roll < 0.82) this.changeSettings()
    else if (roll < 0.84)
      this.push({ type: 'browser_revenue', mode: random.pick(['count', 'confirm', 'ignore']) })
    else if (roll < 0.9) this.changeGoal()
    else if (roll < 0.95) this.importSpend()
    else this.update()
  }

  private push(step: DistributiveOmit<Step, 'at'>): void {
    this.at += this.random.pick([0, 0, 1, 1000, 3_600_000])
    this.steps.push({ at: this.at, ...step } as Step)
  }

  private send(events: ServerEvent[]): void {
    for (const event of events)
      if (event.idempotency_key !== undefined) this.sent.set(event.idempotency_key, event)
    this.push({ type: 'events', batch: events.length > 1 || this.random.chance(0.3), events })
  }

  private someKey(): string | undefined {
    return this.sent.size === 0 ? undefined : this.random.pick([...this.sent.keys()])
  }

  private sendAgain(): void {
    const key = this.someKey()
    if (key === undefined) return
    const event = this.sent.get(key)!
    this.send(this.random.chance(0.5) ? [event] : [event, this.events.visit(), event])
  }

  private update(): void {
    const { random } = this
    const key = this.someKey()
    if (key === undefined) return
    const before = this.sent.get(key)!
    const after: ServerEvent = { ...before }
    for (const change of random
      .shuffle(['money', 'who', 'time', 'no_time', 'name', 'subject', 'ad'])
      .slice(0, random.int(1, 2)))
      switch (change) {
        case 'money':
          // Keeps the currency, because refunds are in the currency of the payment.
          after.properties = { ...before.properties, value: this.events.money().value }
          break
        case 'who':
          delete after.anonymous_id
          delete after.user_traits
          Object.assign(after, this.events.who(true))
          break
        case 'time':
          Object.assign(after, { timestamp: new Date(this.events.time()).toISOString() })
          break
        case 'no_time':
          delete after.timestamp
          break
        case 'name':
          after.event_name = random.pick(['payment_received', ...outcomeNames])
          break
        case 'subject': {
          const { subject_ref: had, ...otherProperties } = after.properties ?? {}
          after.properties =
            had === undefined ? { ...otherProperties, subject_ref: 'sub-1x' } : otherProperties
          break
        }
        case 'ad':
          delete after.ad
          if (random.chance(0.6)) after.ad = nameAd(random, this.structure)
          break
      }
    this.send([after])
  }

  private payByCard(): void {
    const { random } = this
    const before =
      this.cards.size > 0 && random.chance(0.3) ? random.pick([...this.cards.values()]) : undefined
    const card = before === undefined ? this.events.card() : this.changeCard(before)
    this.cards.set(card.payment_id, card)
    this.push({ type: 'card', body: card })
  }

  private changeCard(before: CardPayment): CardPayment {
    const { random } = this
    const { payment_id, currency, value, status, customer, occurred_at } = this.events.card()
    return random.pick<() => CardPayment>([
      () => before,
      () => ({ ...before, status: status ?? 'succeeded' }),
      () => ({ ...before, value }),
      () => ({ ...before, ...(customer === undefined ? {} : { customer }) }),
      () => ({ ...before, ...(occurred_at === undefined ? {} : { occurred_at }) }),
      () => ({ payment_id: before.payment_id, value: before.value, currency: before.currency }),
      // Another payment in the first one's currency.
      () => ({ ...before, payment_id, currency: random.chance(0.5) ? currency : before.currency }),
    ])()
  }

  private refer(): void {
    const { random } = this
    const again = this.referrals.length > 0 && random.chance(0.2)
    const body = again ? random.pick(this.referrals) : this.events.referral()
    if (Object.keys(body.customer).length === 0) return
    this.referrals.push(body)
    this.push({ type: 'referral', body })
  }

  private browse(): void {
    this.push({ type: 'pages', pages: this.events.pages() })
  }

  private withPayment(act: (key: string) => void): void {
    const sent = [...this.sent].flatMap(([key, event]) =>
      event.properties?.value === undefined ? [] : [key],
    )
    const keys = [...sent, ...this.cards.keys()]
    if (keys.length > 0) act(this.random.pick(keys))
  }

  private refund(): void {
    const { random } = this
    this.withPayment((key) => {
      const paid = this.cards.get(key) ?? this.sent.get(key)!.properties!
      this.push({
        type: 'refund',
        key,
        value: this.partOf(paid, random.pick([0.1, 0.333, 0.5, 1, 1, 1, 1.2])),
        occurredAt: random.chance(0.5) ? this.events.time() : null,
      })
    })
  }

  /** A refund in a finished month, because cohorts show no other. */
  private giveBack(): void {
    const { givingBack: random } = this
    const paid = [...this.sent].filter(
      ([, { event_name, timestamp, properties }]) =>
        event_name === 'payment_received' && timestamp !== undefined && Number(properties?.value) > 0,
    )
    if (paid.length === 0) return
    const [key, { timestamp, properties }] = random.pick(paid)
    this.steps.push({
      at: this.at,
      type: 'refund',
      key,
      value: this.partOf(properties!, random.pick([0.1, 0.5, 1])),
      occurredAt: Date.parse(timestamp!) + random.int(0, 25 * DAY),
    })
  }

  private partOf(
    paid: { value?: string | number | undefined; currency?: string | undefined },
    share: number,
  ): string {
    const places = inCurrency(0, paid.currency ?? this.currency).split('.')[1]?.length ?? 0
    return (Number(paid.value) * share).toFixed(places)
  }

  private merge(): void {
    const { random } = this
    if (this.merges.length > 0 && random.chance(0.4)) {
      this.push({ type: 'undo_merge', name: random.pick(this.merges) })
      return
    }
    const name = `merge-${this.events.next()}`
    this.merges.push(name)
    this.push({ type: 'merge', name, from: this.events.someIdentifier(), into: this.events.someIdentifier() })
  }

  private erase(): void {
    const name = `erased-${this.steps.length}`
    this.steps.push({ at: this.at, type: 'erase', name, who: this.events.someIdentifier(this.erasing) })
  }

  private changeSettings(): void {
    const { random } = this
    this.push({
      type: 'settings',
      settings: {
        ...(random.chance(0.7) ? { lookbackDays: random.pick([1, 3, 7, 30, 365]) } : {}),
        ...(random.chance(0.5) ? { firstTouchLookbackDays: random.pick([1, 30, 90, 365]) } : {}),
        ...(random.chance(0.5) ? { halfLifeDays: random.pick([1, 7, 30]) } : {}),
      },
    })
  }

  private goalFields(): GoalFields {
    const { random } = this
    return {
      source_event_names: random.pick([
        ['signup'],
        ['signup', 'payment_received'],
        ['noise', 'lead_created'],
      ]),
      outcome_type: random.pick(['signup', 'lead_created', 'payment_received', 'vip']),
      revenue_type: random.pick<RevenueType>(['cash', 'pipeline', 'gross']),
      attribution_eligible: random.chance(0.85),
    }
  }

  private createGoal(): void {
    const key = `goal_${this.events.next()}`
    this.goals.push(key)
    this.push({ type: 'create_goal', key, fields: this.goalFields() })
  }

  private changeGoal(): void {
    const { random } = this
    const key = random.pick([...this.goals, 'lead_created', 'payment_received', 'quote_presented'])
    if (random.chance(0.25)) this.push({ type: 'delete_goal', key })
    else if (random.chance(0.3)) this.createGoal()
    else {
      const { attribution_eligible, revenue_type, source_event_names } = this.goalFields()
      this.push({
        type: 'update_goal',
        key,
        fields: random.pick<Partial<GoalFields>>([
          { attribution_eligible },
          { revenue_type },
          { source_event_names },
          { revenue_type, source_event_names },
        ]),
      })
    }
  }

  /** An identifier shared by ten or eleven people: with the eleventh it links no one. */
  private crowd(): void {
    const { random } = this
    const anonymous = random.pick(this.events.people[0]!.anonymousIds)
    const events = Array.from(
      { length: random.int(10, 11) },
      (_, n): ServerEvent => ({
        event_name: 'identify',
        anonymous_id: anonymous,
        user_traits: { email: `crowd${n}@example.com` },
        ...this.events.stamp(),
      }),
    )
    this.send(events)
  }

  private importSpend(): void {
    const { random } = this
    const source = random.pick(['podcast', 'radio'])
    const rows = new Map<string, SpendRow>()
    for (let remaining = random.int(1, 6); remaining > 0; remaining--) {
      const row = makeSpendRow(random, this.structure, source, this.anchor, this.currency)
      rows.set(`${row.level} ${row[`${row.level}_id`]} ${row.date}`, row)
    }
    this.push({ type: 'spend', rows: [...rows.values()] })
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
