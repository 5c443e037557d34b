/** Website visits of the sandbox's people, in the tracker's wire format. Pure. */

import type { SandboxPerson } from '@whence/sandbox/world.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { seededRandom, seededUuid } from '../../../platform/seeded-random.ts'
import type { WireEvent } from '../../sources/tracking/wire.ts'

const MINUTE_MS = 60_000
const FIRST_VISIT = 'visit 0'
const SITE = 'https://harborandpine.example'

type Arrival = {
  at: Date
  path: string
  referrer: string
  utm: WireEvent['utm']
  clickIds: WireEvent['click_ids']
  ad: WireEvent['ad']
}

const noSource = { referrer: '', utm: {}, clickIds: {}, ad: {} }

/** Each person's first visit, further visits of their journey, and the event that identifies them. */
export function buildVisits(people: readonly SandboxPerson[], now: Date): WireEvent[] {
  const clicked = people.filter((person) => person.click !== null)
  return people.flatMap((person, index) => {
    const random = seededRandom('demo visits', person.id)
    const arrivals = [firstArrival(person)]
    const at = person.arrivedAt.getTime()
    if (random.chance(0.3)) arrivals.push(organic(new Date(at - random.int(1, 12) * DAY_MS)))
    if (random.chance(0.06))
      arrivals.push({ ...noSource, path: '/showroom', at: new Date(at + random.int(1, 4) * DAY_MS) })
    const other = clicked[(index * 7 + 3) % Math.max(1, clicked.length)]
    if (other !== undefined && random.chance(0.4))
      arrivals.push({ ...firstArrival(other), at: new Date(at - random.int(2, 20) * DAY_MS) })
    const visits = arrivals
      .filter((arrival) => arrival.at <= now)
      .map((arrival, number) => toWire(person, arrival, now, number === 0 ? FIRST_VISIT : `visit ${number}`))
    const identifiedAt = new Date(at + random.int(2, 25) * MINUTE_MS)
    return identifiedAt <= now ? [...visits, identified(person, identifiedAt, now)] : visits
  })
}

const LIVE_VISITORS = 7
const LIVE_INTERVAL_MS = 40_000
const livePaths = ['/kitchens', '/accessories', '/showroom', '/contact']

/** The most recent people visit pages at this moment. */
export function buildLiveVisits(people: readonly SandboxPerson[], now: Date): WireEvent[] {
  return people.slice(-LIVE_VISITORS).map((person, index) => {
    const at = new Date(now.getTime() - (index + 1) * LIVE_INTERVAL_MS)
    const path = livePaths[index % livePaths.length]!
    return toWire(person, { ...noSource, at, path }, now, `live ${now.toISOString()}`)
  })
}

function firstArrival(person: SandboxPerson): Arrival {
  const { click, arrivedAt: at } = person
  const path = person.kind === 'shopper' ? '/accessories' : '/kitchens'
  if (click === null) return person.source === 'organic' ? organic(at) : { ...noSource, at, path }
  const utm = { source: person.source === 'social' ? 'social' : 'engine', medium: 'cpc' }
  return {
    at,
    path,
    referrer: '',
    utm,
    clickIds: { [click.name]: click.value },
    ad: { ad_id: click.adId, ad_set_id: click.adSetId, campaign_id: click.campaignId },
  }
}

function organic(at: Date): Arrival {
  return { ...noSource, at, path: '/', referrer: 'https://www.google.com/' }
}

function toWire(
  person: SandboxPerson,
  arrival: Arrival,
  now: Date,
  eventKey: string,
  session = eventKey,
): WireEvent {
  return {
    event_id: seededUuid('demo', person.id, eventKey),
    type: 'page_view',
    event_name: 'page_view',
    occurred_at: arrival.at.toISOString(),
    sent_at: now.toISOString(),
    anonymous_id: person.anonymousId,
    session_id: seededUuid('demo session', person.id, session),
    session_start: true,
    url: SITE + arrival.path,
    referrer: arrival.referrer,
    title: 'Harbor & Pine',
    utm: arrival.utm,
    click_ids: arrival.clickIds,
    ad: arrival.ad,
    properties: {},
    user_traits: {},
    consent: 'granted',
    screen: { w: 1440, h: 900 },
    language: 'en-US',
    tz: 'America/New_York',
  }
}

/** A submitted form. It links the visitor to the CRM contact and the payer. */
function identified(person: SandboxPerson, at: Date, now: Date): WireEvent {
  return {
    ...toWire(person, { ...noSource, at, path: '/contact' }, now, 'identify', FIRST_VISIT),
    type: 'identify',
    event_name: 'identify',
    session_start: false,
    user_traits: {
      email: person.email,
      phone: person.phone,
      first_name: person.firstName,
      last_name: person.lastName,
    },
  }
}
