/** Generates the events of a random world: person, time, ad and amount. */
import { currencies, nameAd, type Person, type Structure, spellEmail, spellPhone } from './cast.ts'
import { DAY, inCurrency } from './decimal.ts'
import type { CardPayment, Identifier, Page, Referral, ServerEvent } from './history.ts'
import type { Random } from './random.ts'

export const outcomeNames = [
  'lead_created',
  'order_placed',
  'quote_presented',
  'closed_won',
  'signup',
  'noise',
] as const

export class EventMaker {
  private readonly random: Random
  private readonly anchor: number
  readonly people: Person[]
  private readonly structure: Structure
  private readonly currency: string
  private readonly times: number[] = []
  private made = 0

  constructor(
    random: Random,
    setting: { anchor: number; people: Person[]; structure: Structure; currency: string },
  ) {
    this.random = random
    this.anchor = setting.anchor
    this.people = setting.people
    this.structure = setting.structure
    this.currency = setting.currency
  }

  /** A number that is unique in the world. */
  next(): number {
    return this.made++
  }

  time(): number {
    const { random } = this
    const roll = random.next()
    const earlierTime = this.times.length === 0 ? undefined : random.pick(this.times)
    let time = this.anchor + random.int(-30, 8) * DAY + random.int(0, DAY - 1)
    if (earlierTime !== undefined && roll < 0.12) time = earlierTime
    else if (earlierTime !== undefined && roll < 0.22)
      time = earlierTime - random.pick([30, 30, 90, 7, 3]) * DAY + random.pick([-1, 0, 0, 1])
    else if (earlierTime !== undefined && roll < 0.28)
      time = earlierTime + random.pick([7 * DAY, 7 * DAY + 1, 1, -1])
    else if (roll < 0.5)
      time = this.anchor + random.int(-20, 6) * DAY + random.int(0, 95) * 900_000 + random.pick([-1, 0, 0])
    else if (roll < 0.56) time = this.anchor - random.int(60, 110) * DAY
    this.times.push(time)
    return time
  }

  stamp(): { timestamp?: string } {
    return this.random.chance(0.04) ? {} : { timestamp: new Date(this.time()).toISOString() }
  }

  who(rich = false): Pick<ServerEvent, 'anonymous_id' | 'user_traits'> {
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
    const isIdentified = Object.keys(traits).length > 0
    const anonymous =
      !isIdentified || random.chance(0.6) ? { anonymous_id: random.pick(other.anonymousIds) } : {}
    return { ...anonymous, ...(isIdentified ? { user_traits: traits } : {}) }
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
    return always || this.random.chance(0.6) ? { idempotency_key: `key-${this.next()}` } : {}
  }

  visit(): ServerEvent {
    return { event_name: 'visit', ...this.who(), ...this.stamp(), ...this.arrival(), ...this.key(false) }
  }

  identify(): ServerEvent {
    return { event_name: 'identify', ...this.who(true), ...this.stamp(), ...this.key(false) }
  }

  money(): { value: number | string; currency?: string } {
    const { random } = this
    const currency = random.chance(0.3) ? { currency: random.pick(currencies) } : {}
    return { value: this.amount(currency.currency ?? this.currency), ...currency }
  }

  /** Occasionally with more decimals than the currency, which is refused. */
  private amount(currency: string): number | string {
    const { random } = this
    const roll = random.next()
    const minor =
      roll < 0.15 ? random.int(0, 3) : roll < 0.9 ? random.int(1, 50_000) : random.int(1, 9_000_000_000)
    const text = inCurrency(minor, currency)
    if (random.chance(0.03)) return `${text}${text.includes('.') ? '' : '.00'}${random.int(1, 9)}`
    return random.chance(0.5) ? Number(text) : text
  }

  outcome(): ServerEvent {
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

  payment(): ServerEvent {
    const { random } = this
    const subject = random.chance(0.3) ? { subject_ref: `sub-${random.int(1, 2)}x` } : {}
    return {
      event_name: 'payment_received',
      ...this.who(true),
      ...this.stamp(),
      properties: { ...this.money(), ...subject, ...this.order() },
      ...(random.chance(0.1) ? this.arrival() : {}),
      ...this.key(true),
    }
  }

  /** One of few orders, so that several sources report the same one. */
  private order(): { order_id?: string } {
    const { random } = this
    return random.chance(0.3) ? { order_id: `order-${random.int(1, 4)}` } : {}
  }

  anyEvent(): ServerEvent {
    return this.random.pick([
      () => this.visit(),
      () => this.outcome(),
      () => this.payment(),
      () => this.identify(),
    ])()
  }

  card(): CardPayment {
    const { random } = this
    const { anonymous_id, user_traits: { external_id, ...contact } = {} } = this.who(true)
    const customer = {
      ...contact,
      ...(external_id === undefined ? {} : { external_ref: external_id }),
      ...(anonymous_id === undefined ? {} : { anonymous_id }),
    }
    const { timestamp } = this.stamp()
    const currency = random.pick(currencies)
    return {
      payment_id: `card-${this.next()}`,
      value: this.amount(currency),
      currency,
      ...(timestamp === undefined ? {} : { occurred_at: timestamp }),
      ...(random.chance(0.3) ? { status: random.pick(['succeeded', 'pending', 'failed', 'disputed']) } : {}),
      ...this.order(),
      ...(Object.keys(customer).length === 0 ? {} : { customer }),
    }
  }

  referral(): Referral {
    const { random } = this
    const { user_traits: { external_id, ...contact } = {} } = this.who(true)
    return {
      ad_id: random.pick(this.structure.ads).id,
      channel: random.pick(['chatapp', 'photoapp', 'pagechat']),
      occurred_at: new Date(this.time()).toISOString(),
      customer: { ...contact, ...(external_id === undefined ? {} : { external_ref: external_id }) },
      ...(random.chance(0.4) ? { idempotency_key: `key-${random.int(0, 3)}` } : {}),
    }
  }

  pages(): Page[] {
    const { random } = this
    const person = random.pick(this.people)
    const anonymous = random.pick(person.anonymousIds)
    return Array.from({ length: random.int(1, 3) }, (_, index): Page => {
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
        ...(random.chance(0.15) ? { purchase: this.purchase() } : {}),
      }
    })
  }

  private purchase(): NonNullable<Page['purchase']> {
    const { random } = this
    const currency = random.pick(currencies)
    return { value: inCurrency(random.int(1, 50_000), currency), currency, ...this.order() }
  }

  private uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.random.int(0, 15).toString(16)).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }

  someIdentifier(random: Random = this.random): Identifier {
    const person = random.pick(this.people)
    const all: Identifier[] = [
      ...person.anonymousIds.map((value): Identifier => ({ kind: 'anonymous_id', value })),
      ...person.emails.map((value): Identifier => ({ kind: 'email', value })),
      ...person.externalIds.map((value): Identifier => ({ kind: 'external_id', value })),
    ]
    return random.pick(all)
  }
}
