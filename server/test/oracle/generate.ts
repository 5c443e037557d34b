/** Makes a random world: small, but dense in ties, edges of windows and days, shared identifiers and second thoughts. */
import {
  currencies,
  makePeople,
  makeSpendRow,
  makeStructure,
  nameAd,
  type Person,
  type Structure,
  spellEmail,
  spellPhone,
} from './cast.ts'
import type {
  GoalFields,
  Identifier,
  Page,
  RevenueType,
  ServerEvent,
  SpendRow,
  Step,
  World,
} from './history.ts'
import { createRandom, type Random } from './random.ts'

const DAY = 86_400_000
/** Zones with their change of clocks around which the world happens, and some without one. */
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
const outcomeNames = [
  'lead_created',
  'order_placed',
  'quote_presented',
  'closed_won',
  'signup',
  'noise',
] as const

/** `actions`: how much happens; a few by default. */
export function makeWorld(seed: number, actions?: number): World {
  return new WorldMaker(seed).make(actions)
}

class WorldMaker {
  private readonly random: Random
  private readonly seed: number
  private readonly zone: string
  private readonly anchor: number
  private readonly currency: string
  private readonly people: Person[]
  private readonly structure: Structure
  private readonly steps: Step[] = []
  private readonly times: number[] = []
  private readonly sent = new Map<string, ServerEvent>()
  private readonly goals: string[] = []
  private readonly merges: string[] = []
  private at: number
  private made = 0

  constructor(seed: number) {
    this.seed = seed
    this.random = createRandom(seed)
    const [zone, anchor] = this.random.pick(zones)
    this.zone = zone
    this.anchor = Date.parse(`${anchor}T00:00:00Z`)
    this.at = this.anchor + 60 * DAY + this.random.int(0, DAY)
    this.currency = this.random.pick(['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'BHD'])
    this.people = makePeople(this.random)
    this.structure = makeStructure(this.random)
  }

  make(actions?: number): World {
    const { random } = this
    if (random.chance(0.3)) this.changeSettings()
    if (random.chance(0.35)) this.createGoal()
    if (random.chance(0.6)) this.importSpend()
    if (random.chance(0.06)) this.crowd()
    const early = random.int(6, 22)
    const late = random.int(0, 5)
    for (let left = actions ?? early; left > 0; left--) this.act()
    for (let left = actions === undefined ? late : actions / 2; left > 0; left--) this.actLate()
    return { seed: this.seed, zone: this.zone, currency: this.currency, steps: this.steps }
  }

  private act(): void {
    const roll = this.random.next()
    if (roll < 0.2) this.send([this.visit()])
    else if (roll < 0.34) this.browse()
    else if (roll < 0.5) this.send([this.outcome()])
    else if (roll < 0.72) this.send([this.payment()])
    else if (roll < 0.78) this.send([this.identify()])
    else if (roll < 0.84) this.send(Array.from({ length: this.random.int(2, 5) }, () => this.anyEvent()))
    else if (roll < 0.88) this.sendAgain()
    else if (roll < 0.96) this.update()
    else if (roll < 0.98) this.importSpend()
    else this.push({ type: 'process' })
  }

  /** What needs something to be there already. */
  private actLate(): void {
    const { random } = this
    const roll = random.next()
    const key = this.someKey()
    if (roll < 0.14 && key !== undefined) this.push({ type: 'retract', key })
    else if (roll < 0.34) this.refund()
    else if (roll < 0.44) this.withPayment((own) => this.push({ type: 'undo_refund', key: own }))
    else if (roll < 0.54)
      this.withPayment((own) =>
        this.push({ type: 'installment', key: own, isInstallment: random.chance(0.8) }),
      )
    else if (roll < 0.64)
      this.withPayment((own) =>
        this.push({ type: 'payer', key: own, payer: random.chance(0.85) ? this.someIdentifier() : null }),
      )
    else if (roll < 0.78) this.merge()
    else if (roll < 0.84) this.changeSettings()
    else if (roll < 0.9) this.changeGoal()
    else if (roll < 0.95) this.importSpend()
    else this.update()
  }

  private push(step: DistributiveOmit<Step, 'at'>): void {
    this.at += this.random.pick([0, 0, 1, 1000, 3_600_000])
    this.steps.push({ at: this.at, ...step } as Step)
  }

  private time(): number {
    const { random } = this
    const roll = random.next()
    const known = this.times.length === 0 ? undefined : random.pick(this.times)
    let time = this.anchor + random.int(-30, 8) * DAY + random.int(0, DAY - 1)
    if (known !== undefined && roll < 0.12) time = known
    else if (known !== undefined && roll < 0.22)
      time = known - random.pick([30, 30, 90, 7, 3]) * DAY + random.pick([-1, 0, 0, 1])
    else if (known !== undefined && roll < 0.28) time = known + random.pick([7 * DAY, 7 * DAY + 1, 1, -1])
    else if (roll < 0.5)
      time = this.anchor + random.int(-20, 6) * DAY + random.int(0, 95) * 900_000 + random.pick([-1, 0, 0])
    else if (roll < 0.56) time = this.anchor - random.int(60, 110) * DAY
    this.times.push(time)
    return time
  }

  private stamp(): { timestamp?: string } {
    return this.random.chance(0.04) ? {} : { timestamp: new Date(this.time()).toISOString() }
  }

  private who(rich = false): Pick<ServerEvent, 'anonymous_id' | 'user_traits'> {
    const { random } = this
    if (random.chance(0.03)) return {}
    const person = random.pick(this.people)
    const other = random.chance(0.06) ? random.pick(this.people) : person
    const traits: NonNullable<ServerEvent['user_traits']> = {}
    const wants = rich ? 0.75 : 0.4
    if (person.emails.length > 0 && random.chance(wants))
      traits.email = spellEmail(random, random.pick(person.emails))
    if (other.phones.length > 0 && random.chance(wants))
      traits.phone = spellPhone(random, random.pick(other.phones))
    if (person.externalIds.length > 0 && random.chance(wants))
      traits.external_id = random.pick(person.externalIds)
    const named = Object.keys(traits).length > 0
    const anonymous = !named || random.chance(0.6) ? { anonymous_id: random.pick(other.anonymousIds) } : {}
    return { ...anonymous, ...(named ? { user_traits: traits } : {}) }
  }

  private arrival(): Pick<ServerEvent, 'utm' | 'click_ids' | 'ad'> {
    const { random } = this
    const click = random.chance(0.3)
      ? {
          click_ids: { [random.pick(['gclid', 'fbclid', 'ttclid', 'msclkid'])]: `click${random.int(1, 99)}` },
        }
      : {}
    const ad = random.chance(0.7) ? { ad: nameAd(random, this.structure) } : {}
    const utm = random.chance(0.3)
      ? { utm: { source: 'news', medium: random.pick(['email', 'cpc', 'social']) } }
      : {}
    const all = { ...click, ...ad, ...utm }
    return Object.keys(all).length > 0 ? all : { utm: { source: 'news' } }
  }

  private key(always: boolean): { idempotency_key?: string } {
    return always || this.random.chance(0.6) ? { idempotency_key: `key-${this.made++}` } : {}
  }

  private visit(): ServerEvent {
    return { event_name: 'visit', ...this.who(), ...this.stamp(), ...this.arrival(), ...this.key(false) }
  }

  private identify(): ServerEvent {
    return { event_name: 'identify', ...this.who(true), ...this.stamp(), ...this.key(false) }
  }

  private money(): { value: number | string; currency?: string } {
    const { random } = this
    const roll = random.next()
    const minor =
      roll < 0.15 ? random.int(0, 3) : roll < 0.9 ? random.int(1, 50_000) : random.int(1, 9_000_000_000)
    const value = random.chance(0.5) ? minor / 100 : (minor / 100).toFixed(2)
    const currency = random.chance(0.3) ? { currency: random.pick(currencies) } : {}
    return { value, ...currency }
  }

  private outcome(): ServerEvent {
    const { random } = this
    const paid = random.chance(0.4)
    return {
      event_name: random.pick(outcomeNames),
      ...this.who(true),
      ...this.stamp(),
      ...(paid ? { properties: this.money() } : {}),
      ...(random.chance(0.15) ? this.arrival() : {}),
      ...this.key(paid),
    }
  }

  private payment(): ServerEvent {
    const { random } = this
    const subject = random.chance(0.3) ? { subject_ref: `sub-${random.int(1, 2)}x` } : {}
    return {
      event_name: 'payment_received',
      ...this.who(true),
      ...this.stamp(),
      properties: { ...this.money(), ...subject },
      ...(random.chance(0.1) ? this.arrival() : {}),
      ...this.key(true),
    }
  }

  private anyEvent(): ServerEvent {
    return this.random.pick([
      () => this.visit(),
      () => this.outcome(),
      () => this.payment(),
      () => this.identify(),
    ])()
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
    this.send(this.random.chance(0.5) ? [event] : [event, this.visit(), event])
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
          // The currency stays: what was given back is told in the currency that was paid.
          after.properties = { ...before.properties, value: this.money().value }
          break
        case 'who':
          delete after.anonymous_id
          delete after.user_traits
          Object.assign(after, this.who(true))
          break
        case 'time':
          Object.assign(after, { timestamp: new Date(this.time()).toISOString() })
          break
        case 'no_time':
          delete after.timestamp
          break
        case 'name':
          after.event_name = random.pick(['payment_received', ...outcomeNames])
          break
        case 'subject': {
          const { subject_ref: had, ...rest } = after.properties ?? {}
          after.properties = had === undefined ? { ...rest, subject_ref: 'sub-1x' } : rest
          break
        }
        case 'ad':
          delete after.ad
          if (random.chance(0.6)) after.ad = nameAd(random, this.structure)
          break
      }
    this.send([after])
  }

  private browse(): void {
    const { random } = this
    const person = random.pick(this.people)
    const anonymous = random.pick(person.anonymousIds)
    const pages = Array.from({ length: random.int(1, 3) }, (_, index): Page => {
      const arrived = index === 0 && random.chance(0.6)
      return {
        event_id: this.uuid(),
        occurredAt: this.time(),
        anonymous_id: anonymous,
        session_start: index === 0,
        url: 'https://shop.example/landing?x=1',
        referrer: random.pick([
          '',
          '',
          'https://shop.example/other',
          'https://search.example/q',
          'https://www.google.com/',
        ]),
        utm: arrived && random.chance(0.4) ? { source: 'ads', medium: 'cpc' } : {},
        click_ids: arrived && random.chance(0.4) ? { gclid: `g${random.int(1, 9)}` } : {},
        ad: arrived && random.chance(0.7) ? nameAd(random, this.structure) : {},
        ...(random.chance(0.1) && person.emails.length > 0 ? { email: person.emails[0]! } : {}),
      }
    })
    this.push({ type: 'pages', pages })
  }

  private uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.random.int(0, 15).toString(16)).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }

  private withPayment(act: (key: string) => void): void {
    const keys = [...this.sent].flatMap(([key, event]) =>
      event.properties?.value === undefined ? [] : [key],
    )
    if (keys.length > 0) act(this.random.pick(keys))
  }

  private refund(): void {
    const { random } = this
    this.withPayment((key) => {
      const whole = Number(this.sent.get(key)!.properties!.value)
      const part = (whole * random.pick([0.1, 0.333, 0.5, 1, 1, 1, 1.2])).toFixed(2)
      this.push({ type: 'refund', key, value: part, occurredAt: random.chance(0.5) ? this.time() : null })
    })
  }

  private someIdentifier(): Identifier {
    const person = this.random.pick(this.people)
    const all: Identifier[] = [
      ...person.anonymousIds.map((value): Identifier => ({ kind: 'anonymous_id', value })),
      ...person.emails.map((value): Identifier => ({ kind: 'email', value })),
      ...person.externalIds.map((value): Identifier => ({ kind: 'external_id', value })),
    ]
    return this.random.pick(all)
  }

  private merge(): void {
    const { random } = this
    if (this.merges.length > 0 && random.chance(0.4)) {
      this.push({ type: 'undo_merge', name: random.pick(this.merges) })
      return
    }
    const name = `merge-${this.made++}`
    this.merges.push(name)
    this.push({ type: 'merge', name, from: this.someIdentifier(), into: this.someIdentifier() })
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
    const key = `goal_${this.made++}`
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

  /** One identifier seen with ten or eleven people: the eleventh makes it link nobody. */
  private crowd(): void {
    const { random } = this
    const anonymous = random.pick(this.people[0]!.anonymousIds)
    const events = Array.from(
      { length: random.int(10, 11) },
      (_, n): ServerEvent => ({
        event_name: 'identify',
        anonymous_id: anonymous,
        user_traits: { email: `crowd${n}@example.com` },
        ...this.stamp(),
      }),
    )
    this.send(events)
  }

  private importSpend(): void {
    const { random } = this
    const source = random.pick(['podcast', 'radio'])
    const rows = new Map<string, SpendRow>()
    for (let left = random.int(1, 6); left > 0; left--) {
      const row = makeSpendRow(random, this.structure, source, this.anchor)
      rows.set(`${row.level} ${row[`${row.level}_id`]} ${row.date}`, row)
    }
    this.push({ type: 'spend', rows: [...rows.values()] })
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
