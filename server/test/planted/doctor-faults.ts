/** One fault per check of the doctor, planted into a healthy world. */
import { apiVersions } from '../../src/connectors/versions.ts'
import { DAY_MS } from '../../src/platform/contract/dates.ts'
import { makeDelivery, makeEntity } from '../ad-world.ts'
import { DAYS, type DoctorWorld, payment, timeOf, visit } from './doctor-world.ts'

const isFrom = (source: string) => (event: DoctorWorld['tracked'][number]) => event.utm?.source === source
const days = (count: number) => DAYS.slice(-count)
const people = (count: number) => Array.from({ length: count }, (_, index) => `extra-${index}`)

/** Changes every second matching row. */
function half<T extends object>(rows: T[], isOne: (row: T) => boolean, change: Partial<T>): void {
  for (const [index, row] of rows.filter(isOne).entries()) if (index % 2 === 0) Object.assign(row, change)
}

export const faults: Record<string, (world: DoctorWorld) => void> = {
  untagged_paid_clicks: ({ tracked }) => half(tracked, isFrom('facebook'), { ad: {} }),
  unknown_ads: ({ tracked }) => half(tracked, isFrom('google'), { ad: { ad_id: 'A999' } }),
  click_ids_stripped: ({ tracked }) => half(tracked, isFrom('google'), { click_ids: {} }),
  payment_page_source({ tracked, sent }) {
    for (const person of people(5)) {
      const at = timeOf(DAYS[20]!, 14)
      tracked.push(visit(person, at - 60_000, { referrer: 'https://pay.bigbank.example/done' }))
      sent.push(payment(person, at))
    }
  },
  self_referrals({ tracked, settings }) {
    settings.allowedDomains = ['shop.example', 'brand.example']
    for (const person of people(5))
      tracked.push(visit(person, timeOf(DAYS[20]!, 14), { referrer: 'https://brand.example/' }))
  },
  unlisted_domains({ tracked, settings }) {
    settings.allowedDomains = []
    for (const person of people(6))
      tracked.push(
        visit(person, timeOf(DAYS[20]!, 14), { url: 'https://copy.example/', session_start: false }),
      )
  },
  sales_counted_twice({ tracked, sent, settings }) {
    settings.browserRevenue = 'count'
    for (const sale of sent.filter(({ event_name }) => event_name === 'payment_received').slice(0, 4))
      tracked.push(
        visit(sale.anonymous_id!, sale.at - 120_000, {
          type: 'purchase',
          event_name: 'payment_received',
          session_start: false,
          properties: { value: sale.properties!.value, currency: 'EUR' },
        }),
      )
  },
  test_orders: ({ sent }) =>
    void Object.assign(sent.find(({ event_name }) => event_name === 'payment_received')!.properties!, {
      order_id: 'TEST-12',
    }),
  untouched_sales_rising({ sent }) {
    for (const person of people(40))
      sent.push(payment(person, timeOf(days(6)[Number(person.slice(6)) % 6]!, 15)))
  },
  event_drop(world) {
    world.tracked = world.tracked.filter(
      ({ event_name, at }) => event_name !== 'add_to_cart' || at < timeOf(days(3)[0]!, 0),
    )
  },
  page_drop(world) {
    const isStopped = (url: string | undefined, at: number) =>
      url?.endsWith('/product') && at >= timeOf(days(3)[0]!, 0)
    world.tracked = world.tracked.filter(({ url, at }) => !isStopped(url, at))
  },
  clock_skew({ sent }) {
    for (const event of sent.filter(({ at }) => at > timeOf(days(5)[0]!, 0)))
      event.received = event.at - 600_000
  },
  bots({ tracked }) {
    for (const person of people(320))
      tracked.push(visit(person, timeOf(DAYS[20]!, 4), { is_bot: true, session_start: false }))
  },
  timezone_mismatch({ connection }) {
    connection.timezone = 'America/New_York'
  },
  currency_without_rate: ({ sent }) =>
    half(sent.slice(0, 4), ({ event_name }) => event_name === 'payment_received', {
      properties: { value: 40, currency: 'ARS' },
    }),
  overmerged_customers({ sent }) {
    for (const person of people(7))
      sent.push({
        event_name: 'identified',
        at: timeOf(DAYS[20]!, 14),
        user_traits: { external_id: 'kiosk', email: `${person}@mail.example` },
      })
  },
  unidentified_payments({ sent }) {
    for (const [index] of people(12).entries())
      sent.push(payment('', timeOf(DAYS[20]!, 14) + index, { anonymous_id: null, user_traits: {} }))
  },
  lookback_too_short({ tracked, sent }) {
    for (const person of people(12)) {
      const at = timeOf(DAYS[20]!, 14)
      tracked.push(visit(person, at - 60 * DAY_MS))
      sent.push(payment(person, at))
    }
  },
  spend_without_clicks({ records }) {
    records.engine_ads.push(
      makeEntity('campaign', 'C3'),
      ...days(10).map((day) => makeDelivery('campaign', 'C3', day, { spendMinor: 5000, clicks: 25 })),
    )
  },
  stale_connections({ connection }) {
    connection.syncedDaysAgo = 5
  },
  ending_api_versions({ installation }) {
    const { social_ads } = apiVersions
    installation.versions = { social_ads: { ...social_ads, aliveUntil: '2026-08-31' } }
  },
  service_clock({ installation }) {
    installation.clocks = [...installation.clocks, { host: 'worker-2', clock_ahead_seconds: -90 }]
  },
  goals_without_events: ({ goals }) => void goals.push('demo_booked'),
  data_request_due: ({ dataRequests }) => void dataRequests.push(DAYS[20]!),
  consent_denied(world) {
    world.settings.consentMode = 'pending'
    for (const records of Object.values(world.records))
      for (const record of records) if (record.type === 'delivery') record.clicks = 20
  },
}
