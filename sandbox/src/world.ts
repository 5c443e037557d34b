/**
 * The people of the sandboxes' business. All sandboxes derive the same people from the same seed, so
 * that ad clicks, CRM contacts, appointments, orders and payments are consistent. Each day has its
 * own people, independent of the current time; nothing after `now` has happened yet.
 */

import {
  type Platform,
  usualSpend,
  type WorldAd,
  type WorldObjective,
  worldAccounts,
  worldCampaigns,
  worldDays,
} from './ads.ts'
import { addDays, DAY_MS, dayNumber, weekday } from './days.ts'
import { buyerLift } from './planted.ts'
import { type Random, seededDigits, seededHex, seededRandom, seededUuid } from './seeded-random.ts'

export type SandboxStage =
  | 'lead_created'
  | 'appointment_booked'
  | 'appointment_attended'
  | 'appointment_missed'
  | 'quote_presented'
  | 'closed_won'
  | 'closed_lost'

export type SandboxPayment = {
  /** Stable; each provider adds its own prefix. */
  id: string
  at: Date
  amountMinor: number
  currency: string
  provider: 'cardpay' | 'regionalpay' | 'storefront'
  status: 'succeeded' | 'failed'
  description: string
  refund: { id: string; at: Date; amountMinor: number; kind: 'refund' | 'dispute' } | null
}

export type SandboxPerson = {
  /** Stable; each provider derives its own id from it. */
  id: string
  firstName: string
  lastName: string
  email: string
  /** E.164. */
  phone: string
  /** The tracker's visitor id. */
  anonymousId: string
  arrivedAt: Date
  source: Platform | 'organic' | 'direct'
  /** The click that brought the person; null for organic and direct visits. */
  click: {
    name: 'fbclid' | 'gclid'
    value: string
    at: Date
    campaignId: string
    adSetId: string
    adId: string
  } | null
  /** Consultations go through the CRM, shoppers buy directly in the shop. */
  kind: 'consultation' | 'shopper'
  /** Oldest first, none after `now`. */
  stages: { stage: SandboxStage; at: Date }[]
  /** Value of the deal; null before a quote exists. */
  dealValueMinor: number | null
  payments: SandboxPayment[]
}

export const worldCurrency = 'USD'

const firstNames =
  'Amara,Ben,Chiara,Daniel,Elif,Farid,Grace,Hana,Ivo,Jelena,Kofi,Lena,Mateo,Nadia,Oscar,Priya,Quinn,Rosa,Samir,Tove,Uma,Viktor,Wanjiru,Ximena,Yusuf,Zoe'.split(
    ',',
  )
const lastNames =
  'Abbott,Berg,Castillo,Dubois,Eriksen,Farrow,Ghosh,Haddad,Ito,Janssen,Kowalski,Larsen,Moreau,Nakamura,Okafor,Petrov,Quiroga,Rossi,Schmidt,Tanaka,Underwood,Vargas,Weber,Xu,Young,Zhang'.split(
    ',',
  )
const areaCodes = [
  202, 206, 212, 214, 215, 303, 312, 313, 404, 407, 415, 503, 512, 602, 612, 617, 702, 704, 773, 786,
]
const minuteMs = 60_000
const hourMs = 60 * minuteMs

type People = readonly SandboxPerson[]

/** Oldest arrival first. Everything happens on whole seconds, so the result can be cached per second. */
export function sandboxPeople(seed: string, now: Date): People {
  return keepLast(peopleNow, `${seed} ${Math.floor(now.getTime() / 1000)}`, () =>
    peopleUntil(seed, now.toISOString().slice(0, 10))
      .filter(({ arrivedAt }) => arrivedAt <= now)
      .map((person) => upTo(person, now)),
  )
}

/** All people with their complete future. */
function peopleUntil(seed: string, today: string): People {
  return keepLast(peopleEver, `${seed} ${today}`, () => makePeople(seed, today))
}

const MAX_KEPT = 4
const peopleNow = new Map<string, People>()
const peopleEver = new Map<string, People>()

/** A small cache: every page of a sandbox reads the people. */
function keepLast(cache: Map<string, People>, key: string, make: () => People): People {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const people = make()
  if (cache.size === MAX_KEPT) cache.delete(cache.keys().next().value!)
  cache.set(key, people)
  return people
}

function makePeople(seed: string, today: string): People {
  const ads = { social: adsOf(seed, 'social', today), engine: adsOf(seed, 'engine', today) }
  return Array.from({ length: worldDays }, (_, index) => addDays(today, index - worldDays + 1))
    .flatMap((day) => peopleOfDay(seed, day, ads))
    .sort((a, b) => a.arrivedAt.getTime() - b.arrivedAt.getTime())
}

/** `draw`: relative number of people that an ad brings, by its spend and performance. */
type RunningAd = { ad: WorldAd; objective: WorldObjective; draw: number }

const adsOf = (seed: string, platform: Platform, today: string): RunningAd[] =>
  worldCampaigns(seed, platform, worldAccounts(seed, platform)[0], today)
    .filter(({ status }) => status === 'ACTIVE')
    .flatMap((campaign) =>
      campaign.adSets
        .flatMap((adSet) => adSet.ads)
        .map((ad) => ({
          ad,
          objective: campaign.objective,
          draw: campaign.draws * usualSpend(campaign, ad) * ad.pull * buyerLift(ad),
        })),
    )

function peopleOfDay(seed: string, day: string, ads: Record<Platform, RunningAd[]>): SandboxPerson[] {
  const random = seededRandom(seed, 'people', day)
  const weekend = weekday(day) === 0 || weekday(day) === 6
  const count = random.int(weekend ? 9 : 5, weekend ? 13 : 9)
  return Array.from({ length: count }, (_, index) => makePerson(seed, day, index, ads))
}

function makePerson(
  seed: string,
  day: string,
  index: number,
  ads: Record<Platform, RunningAd[]>,
): SandboxPerson {
  const random = seededRandom(seed, 'person', day, index)
  const id = seededHex(20, seed, 'person', day, index)
  const drawn = [random.pick(firstNames), random.pick(lastNames)] as const
  // A returning person has the name and phone of an earlier one, with another browser and email address.
  const self = isReturning(day, index) ? addDays(day, -RETURNS_AFTER_DAYS) : day
  const [firstName, lastName] = self === day ? drawn : nameOf(seed, self, index)
  const arrivedAt = new Date(Date.parse(`${day}T06:00:00Z`) + random.int(0, 17 * 3600) * 1000)
  const source = chooseSource(random)
  const kind = random.chance(source === 'engine' ? 0.4 : 0.5) ? 'consultation' : 'shopper'
  const mailbox = `${firstName}.${lastName}.${id.slice(0, 4)}`.toLowerCase()
  const person: SandboxPerson = {
    id,
    firstName,
    lastName,
    email: `${mailbox}@${random.pick(['example.com', 'example.net', 'example.org'])}`,
    phone: phoneOf(self, index),
    anonymousId: seededUuid(seed, 'browser', id),
    arrivedAt,
    source,
    click:
      source === 'social' || source === 'engine'
        ? makeClick(seed, id, arrivedAt, source, adsFor(kind, ads[source], random), random)
        : null,
    kind,
    stages: [],
    dealValueMinor: null,
    payments: [],
  }
  if (kind === 'consultation') addConsultation(person, random)
  else addOrders(person, random)
  return person
}

/** Five or six returning people within the days of the world, so that five pairs can be merged at any time. */
const RETURNS_EVERY_DAYS = 20
const RETURNS_AFTER_DAYS = 9
const MAX_A_DAY = 13

const isReturning = (day: string, index: number) => index === 0 && dayNumber(day) % RETURNS_EVERY_DAYS === 0

function nameOf(seed: string, day: string, index: number): [string, string] {
  const random = seededRandom(seed, 'person', day, index)
  return [random.pick(firstNames), random.pick(lastNames)]
}

/** An area code has a hundred numbers reserved for fiction: each person has a unique one for 150 days. */
function phoneOf(day: string, index: number): string {
  const all = areaCodes.length * 100
  // 607 is coprime to 2,000, so numbers repeat only after all have been used.
  const at = ((dayNumber(day) * MAX_A_DAY + index) * 607) % all
  return `+1${areaCodes[Math.floor(at / 100)]}55501${String(at % 100).padStart(2, '0')}`
}

function chooseSource(random: Random): SandboxPerson['source'] {
  const roll = random.next()
  if (roll < 0.46) return 'social'
  if (roll < 0.81) return 'engine'
  return roll < 0.91 ? 'organic' : 'direct'
}

/** Most people click an ad with a matching objective, so that shop and kitchen campaigns perform differently. */
function adsFor(kind: SandboxPerson['kind'], ads: RunningAd[], random: Random): RunningAd[] {
  const fitting = ads.filter(({ objective }) => (objective === 'sales') === (kind === 'shopper'))
  return random.chance(0.85) ? fitting : ads
}

function makeClick(
  seed: string,
  personId: string,
  at: Date,
  platform: Platform,
  ads: RunningAd[],
  random: Random,
): NonNullable<SandboxPerson['click']> {
  const drawn = random.next() * ads.reduce((sum, { draw }) => sum + draw, 0)
  let cumulative = 0
  const { ad } =
    ads.find(({ draw }) => {
      cumulative += draw
      return drawn < cumulative
    }) ?? ads[0]!
  const value = seededHex(platform === 'social' ? 56 : 72, seed, 'click', personId)
  return {
    name: platform === 'social' ? 'fbclid' : 'gclid',
    value: platform === 'social' ? `IwAR${value}` : `Cj0KCQ${value}`,
    at: new Date(at.getTime() - random.int(20, 90) * 1000),
    campaignId: ad.campaignId,
    adSetId: ad.adSetId,
    adId: ad.id,
  }
}

function addConsultation(person: SandboxPerson, random: Random): void {
  let at = person.arrivedAt.getTime() + random.int(3, 25) * minuteMs
  const enter = (stage: SandboxStage) => person.stages.push({ stage, at: new Date(at) })
  enter('lead_created')
  if (!random.chance(0.72)) return
  at += random.int(1, 40) * hourMs
  enter('appointment_booked')
  at += random.int(2, 9) * DAY_MS
  if (!random.chance(0.82)) return void enter('appointment_missed')
  enter('appointment_attended')
  if (!random.chance(0.8)) return
  at += random.int(1, 4) * DAY_MS
  person.dealValueMinor = random.int(14, 52) * 100_00
  enter('quote_presented')
  at += random.int(2, 12) * DAY_MS
  if (!random.chance(0.52)) return void enter('closed_lost')
  enter('closed_won')
  const provider = random.chance(0.6) ? 'cardpay' : 'regionalpay'
  const deposit = Math.round(person.dealValueMinor * 0.3)
  const first = at + random.int(1, 30) * hourMs
  if (random.chance(0.1))
    addPayment(person, random, provider, first - hourMs / 2, deposit, 'Deposit', 'failed')
  addPayment(person, random, provider, first, deposit, 'Deposit', 'succeeded')
  const balance = person.dealValueMinor - deposit
  addPayment(
    person,
    random,
    provider,
    first + random.int(14, 30) * DAY_MS,
    balance,
    'Balance on delivery',
    'succeeded',
  )
}

function addOrders(person: SandboxPerson, random: Random): void {
  const provider = random.chance(0.7) ? 'storefront' : 'cardpay'
  let at = person.arrivedAt.getTime() + random.int(5, 300) * minuteMs
  do {
    addPayment(person, random, provider, at, random.int(45, 420) * 100 - 5, 'Accessories', 'succeeded')
    at += random.int(12, 50) * DAY_MS
  } while (random.chance(0.22) && person.payments.length < 4)
}

function addPayment(
  person: SandboxPerson,
  random: Random,
  provider: SandboxPayment['provider'],
  at: number,
  amountMinor: number,
  description: string,
  status: SandboxPayment['status'],
): void {
  const id = seededDigits(13, person.id, 'payment', person.payments.length)
  const refunded = status === 'succeeded' && random.chance(0.07)
  const disputed = refunded && random.chance(0.2)
  const partial = refunded && !disputed && random.chance(0.5)
  person.payments.push({
    id,
    at: new Date(at),
    amountMinor,
    currency: worldCurrency,
    provider,
    status,
    description,
    refund: refunded
      ? {
          id: seededDigits(13, person.id, 'refund', id),
          at: new Date(at + random.int(1, 12) * DAY_MS),
          amountMinor: partial ? Math.ceil(amountMinor / 3) : amountMinor,
          kind: disputed ? 'dispute' : 'refund',
        }
      : null,
  })
}

/** The person's history up to a moment. */
function upTo(person: SandboxPerson, now: Date): SandboxPerson {
  const stages = person.stages.filter(({ at }) => at <= now)
  return {
    ...person,
    stages,
    dealValueMinor: stages.some(({ stage }) => stage === 'quote_presented') ? person.dealValueMinor : null,
    payments: person.payments
      .filter(({ at }) => at <= now)
      .map((payment) => (payment.refund && payment.refund.at > now ? { ...payment, refund: null } : payment)),
  }
}
