/** All checks of the data-health doctor. Each has a question, reads its facts, assesses them and has one advice. */
import { clickIdPlatforms } from '../../../platform/contract/click-ids.ts'
import { addDays, DAY_MS, listDays } from '../../../platform/contract/dates.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import type { Db } from '../../../platform/db/database.ts'
import { loadSettings } from '../../attribution/crediting/settings.ts'
import { getTrackingSettings } from '../../sources/tracking/queries.ts'
import * as clickRules from './click-rules.ts'
import type { FixPage } from './contract.ts'
import * as eventRules from './event-rules.ts'
import type { Installation } from './installation.ts'
import * as clicks from './queries/clicks.ts'
import * as events from './queries/events.ts'
import * as salesQueries from './queries/sales.ts'
import * as setup from './queries/setup.ts'
import * as sources from './queries/sources.ts'
import * as saleRules from './sale-rules.ts'
import * as setupRules from './setup-rules.ts'
import * as sourceRules from './source-rules.ts'
import { BASE_DAYS } from './stop-rules.ts'
import type { Verdict, Window } from './verdict-rules.ts'

/** Facts shared by several checks, read once per run. */
export type Facts = {
  db: Db
  window: Window
  dayOf: (instant: Date) => string
  sales: salesQueries.SaleRow[]
  arrivals: clicks.ArrivalRow[]
  referrers: sources.ReferrerRow[]
  sites: sources.SiteRow[]
  ownDomains: string[]
  connections: setup.ConnectionRow[]
  campaigns: clicks.CampaignSpendRow[]
  installation: Installation
}

export async function readFacts(db: Db, window: Window, installation: Installation): Promise<Facts> {
  return {
    db,
    window,
    dayOf: (instant) => localDay(instant, window.timezone),
    sales: await salesQueries.listSales(db, window),
    arrivals: await clicks.listArrivals(db, window),
    referrers: await sources.listReferrers(db, window),
    sites: await sources.listSites(db, window),
    ownDomains: await sources.listNamedDomains(db, window),
    connections: await setup.listConnections(db, window),
    campaigns: await clicks.listCampaignSpend(db, window),
    installation,
  }
}

export type Check = {
  id: string
  question: string
  advice: { text: string; page: FixPage }
  assess(facts: Facts): Verdict | Promise<Verdict>
}

const markedPlatforms = [...new Set(Object.values(clickIdPlatforms).map(({ platform }) => platform))]
const SENDER_DAYS = 7

/** Days whose events have arrived, in order: without yesterday, because some senders deliver a day in the next night. */
const wholeDays = ({ from, to }: Window) => listDays(from, addDays(to, -1))

/** With the days that a stop on the first day of the window is compared with. */
function withDaysBefore(window: Window): Window {
  const from = addDays(window.from, -BASE_DAYS)
  return { ...window, from, start: dayBounds(from, window.timezone).start }
}

export const checks: readonly Check[] = [
  {
    id: 'untagged_paid_clicks',
    question: 'Do paid clicks name their ad?',
    advice: {
      text: 'Add the URL parameters of the tracking page to the ads of this platform.',
      page: 'tracking',
    },
    assess: ({ arrivals }) => clickRules.assessUntagged(arrivals),
  },
  {
    id: 'unknown_ads',
    question: 'Are the ads named by clicks known?',
    advice: {
      text: 'Connect the ad account that these ads belong to, or correct the ad id in their URL parameters.',
      page: 'connections',
    },
    assess: async ({ db, window }) => clickRules.assessUnknownAds(await clicks.listUnknownAds(db, window)),
  },
  {
    id: 'click_ids_stripped',
    question: 'Do click ids survive redirects?',
    advice: {
      text: 'Configure redirects and link shorteners to keep the query string, and switch auto-tagging on.',
      page: 'tracking',
    },
    assess: async ({ db, window, sales, dayOf }) =>
      clickRules.assessStripped(
        await clicks.listMarkedClicks(db, { ...window, platforms: markedPlatforms }),
        sales,
        dayOf,
      ),
  },
  {
    id: 'payment_page_source',
    question: 'Do payment or sign-in pages take credit?',
    advice: {
      text: 'Add a channel rule for this host, or the host to your own domains, so that the visit before it keeps the credit.',
      page: 'settings',
    },
    assess: ({ referrers, ownDomains, sales, dayOf }) =>
      sourceRules.assessPaymentPages(referrers, ownDomains, sales, dayOf),
  },
  {
    id: 'self_referrals',
    question: 'Do your own sites appear as a source?',
    advice: {
      text: 'Use one tracking key on all of your sites and keep visitors on one domain until they buy.',
      page: 'tracking',
    },
    assess: ({ referrers, sites, ownDomains, sales, dayOf }) => {
      const businessSites = sourceRules.sitesOfBusiness(sites, ownDomains)
      const nonPaymentReferrers = referrers.filter(({ host }) => !sourceRules.looksLikePayment(host))
      return sourceRules.assessSelfReferrals(nonPaymentReferrers, businessSites, sales, dayOf)
    },
  },
  {
    id: 'unlisted_domains',
    question: 'Are all sites that send events listed as yours?',
    advice: {
      text: 'List your domains in the tracking settings, so that other sites cannot send events.',
      page: 'tracking',
    },
    assess: ({ sites, ownDomains, dayOf }) => sourceRules.assessUnlisted(sites, ownDomains, dayOf),
  },
  {
    id: 'sales_counted_twice',
    question: 'Is a sale counted twice, by browser and server?',
    advice: {
      text: 'Send the same order_id from both, or let browser revenue wait for confirmation.',
      page: 'tracking',
    },
    assess: async ({ db, window }) =>
      saleRules.assessFlagged(await salesQueries.listRepeatedSales(db, window)),
  },
  {
    id: 'test_orders',
    question: 'Are test orders counted as revenue?',
    advice: { text: 'Retract these payments, and send no events from test environments.', page: 'payments' },
    assess: async ({ db, window }) => saleRules.assessFlagged(await salesQueries.listTestSales(db, window)),
  },
  {
    id: 'untouched_sales_rising',
    question: 'Do more sales than before have no visit?',
    advice: {
      text: 'Check that the tracker still runs on every page and that forms and checkouts identify the visitor.',
      page: 'unattributed',
    },
    assess: ({ sales, window }) =>
      saleRules.assessUntouched(sales, addDays(window.to, -saleRules.RECENT_DAYS)),
  },
  {
    id: 'event_drop',
    question: 'Did an event suddenly stop or drop?',
    advice: {
      text: 'Look for a release or a tag change on that day, and send the event again.',
      page: 'tracking',
    },
    assess: async ({ db, window }) => {
      const longer = withDaysBefore(window)
      const counts = await events.countNames(db, { ...longer, minEvents: eventRules.MIN_COUNTED })
      return eventRules.assessDrops('event_name', counts, wholeDays(longer))
    },
  },
  {
    id: 'page_drop',
    question: 'Did a page suddenly stop sending events?',
    advice: { text: 'Open the page and check that the snippet is still on it.', page: 'tracking' },
    assess: async ({ db, window }) =>
      eventRules.assessPages(
        await events.countPages(db, { ...window, minEvents: eventRules.MIN_PAGE_VIEWS }),
        wholeDays(window),
      ),
  },
  {
    id: 'clock_skew',
    question: 'Are the clocks of senders correct?',
    advice: {
      text: 'Send timestamps with their UTC offset, and synchronise the clock of this sender.',
      page: 'tracking',
    },
    assess: async ({ db, window, dayOf }) =>
      eventRules.assessClocks(
        await events.listSenders(db, {
          profileId: window.profileId,
          start: new Date(window.now.getTime() - SENDER_DAYS * DAY_MS),
          end: new Date(window.now.getTime() + DAY_MS),
          aheadSeconds: eventRules.AHEAD_SECONDS,
        }),
        dayOf,
      ),
  },
  {
    id: 'bots',
    question: 'How much of the traffic is automated?',
    advice: {
      text: 'Keep the bot filter on, and block these visitors at your CDN or firewall.',
      page: 'tracking',
    },
    assess: async ({ db, window, dayOf }) => eventRules.assessBots(await events.countBots(db, window), dayOf),
  },
  {
    id: 'timezone_mismatch',
    question: 'Do ad accounts and the profile use the same time zone?',
    advice: {
      text: 'Set the time zone of the profile to that of the ad account, or compare whole weeks only.',
      page: 'settings',
    },
    assess: ({ connections, window }) => setupRules.assessZones(connections, window.timezone, window.to),
  },
  {
    id: 'currency_without_rate',
    question: 'Can all amounts be converted?',
    advice: { text: 'Enter an exchange rate for this currency.', page: 'settings' },
    assess: async ({ db, window }) => saleRules.assessUnrated(await salesQueries.listUnrated(db, window)),
  },
  {
    id: 'overmerged_customers',
    question: 'Did a customer absorb too many identifiers?',
    advice: {
      text: 'Review the links of this customer and separate shared addresses or ids.',
      page: 'identity',
    },
    assess: async ({ db, window }) =>
      setupRules.assessLarge(
        await setup.listLargeCustomers(db, { ...window, most: setupRules.MAX_IDENTIFIERS }),
      ),
  },
  {
    id: 'unidentified_payments',
    question: 'Are payers known?',
    advice: {
      text: 'Send an email, phone or visitor id with each payment, or assign the payers.',
      page: 'payments',
    },
    assess: ({ sales }) => saleRules.assessUnidentified(sales),
  },
  {
    id: 'lookback_too_short',
    question: 'Is the lookback long enough for your customers?',
    advice: { text: 'Increase the lookback to the time that your customers need to buy.', page: 'settings' },
    assess: async ({ db, window, sales }) => {
      const { lookbackDays } = await loadSettings(db, window.profileId)
      return saleRules.assessLookback(sales, lookbackDays)
    },
  },
  {
    id: 'spend_without_clicks',
    question: 'Do paid clicks arrive on the site?',
    advice: {
      text: 'Check the ads of this campaign: their links lead to pages without the tracker, or lack the URL parameters.',
      page: 'campaigns',
    },
    assess: ({ campaigns, arrivals }) => clickRules.assessSpend(campaigns, arrivals),
  },
  {
    id: 'stale_connections',
    question: 'Are all connections up to date?',
    advice: { text: 'Reconnect the account.', page: 'connections' },
    assess: ({ connections, window }) => setupRules.assessConnections(connections, window.now),
  },
  {
    id: 'ending_api_versions',
    question: 'Do the platforms still support the API versions in use?',
    advice: {
      text: 'Ask the operator to update Whence; after its end, a version answers no more syncs.',
      page: 'connections',
    },
    assess: ({ connections, installation, window }) =>
      setupRules.assessVersions(connections, installation, window.now.toISOString().slice(0, 10)),
  },
  {
    id: 'service_clock',
    question: 'Is the clock of this service correct?',
    advice: {
      text: 'Ask the operator to synchronise the clocks of the service and of its database (NTP).',
      page: 'settings',
    },
    assess: ({ installation }) => setupRules.assessServiceClock(installation),
  },
  {
    id: 'goals_without_events',
    question: 'Does every goal receive events?',
    advice: { text: 'Correct the event names of the goal, or delete it.', page: 'goals' },
    assess: async ({ db, window }) =>
      setupRules.assessGoals(await setup.listChangedGoals(db, window), window.now),
  },
  {
    id: 'consent_denied',
    question: 'How many visits are lost to denied consent?',
    advice: {
      text: 'Check that the consent banner calls the tracker when a visitor agrees.',
      page: 'tracking',
    },
    assess: async ({ db, window, campaigns, arrivals }) => {
      const { consentMode } = await getTrackingSettings(db, { profileId: window.profileId })
      return clickRules.assessConsent(consentMode, campaigns, arrivals)
    },
  },
  {
    id: 'data_request_due',
    question: 'Are requests of people for their data answered in time?',
    advice: { text: 'Identify the person and send them the file.', page: 'settings' },
    assess: async ({ db, window }) => {
      const today = addDays(window.to, 1)
      const until = addDays(today, setupRules.WARNING_DAYS)
      const { profileId } = window
      return setupRules.assessDataRequests(await setup.listDataRequests(db, { profileId, until }), today)
    },
  },
]
