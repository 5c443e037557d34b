/** Sites that get credit by mistake: payment pages, own sites and unlisted domains. Pure. */
import { isPassThrough } from '../../facts/events/channel-hosts.ts'
import { cashOf } from './click-rules.ts'
import type { SaleRow } from './queries/sales.ts'
import type { ReferrerRow, SiteRow } from './queries/sources.ts'
import { earliest, example, finding, notApplicable, ok, total, type Verdict } from './verdict-rules.ts'

const FEW = 3

/** Host name parts typical of payment, bank and sign-in pages. */
const paymentWord =
  /(^|[.-])(pay|pays|payment|payments|paygate|securepay|checkout|3ds|3dsecure|acs|bank|banking|login|signin|sso|auth)([.-]|$)/

export const looksLikePayment = (host: string): boolean => isPassThrough(host) || paymentWord.test(host)

type DayOf = (instant: Date) => string

function ofReferrers(
  affected: readonly ReferrerRow[],
  sales: readonly SaleRow[],
  dayOf: DayOf,
): Omit<Verdict, 'status'> {
  const hosts = new Set(affected.map(({ host }) => host))
  const isAffected = (sale: SaleRow) =>
    sale.channel === 'referral' && sale.referrer_host !== null && hosts.has(sale.referrer_host)
  return {
    count: total(affected, ({ touches }) => touches),
    valueMinor: cashOf(sales.filter(isAffected)),
    since: earliest(affected.map(({ since }) => dayOf(since))),
    examples: affected.map(({ host, touches }) => example('site', host, { count: touches })),
  }
}

export function assessPaymentPages(
  referrers: readonly ReferrerRow[],
  ownSites: readonly string[],
  sales: readonly SaleRow[],
  dayOf: DayOf,
): Verdict {
  const affected = referrers.filter(
    ({ host, touches }) => touches >= FEW && looksLikePayment(host) && !isWithin(host, ownSites),
  )
  return affected.length === 0 ? ok : finding('problem', ofReferrers(affected, sales, dayOf))
}

/** Sites with at least this share of page events count as the business's own. */
const OWN_SHARE = 0.05

/** Configured domains, and sites with many page events. */
export function sitesOfBusiness(sites: readonly SiteRow[], domains: readonly string[]): string[] {
  const events = total(sites, (site) => site.events)
  const common = sites.filter((site) => site.events >= FEW && site.events >= events * OWN_SHARE)
  return [...new Set([...domains, ...common.map(({ host }) => host)])]
}

/** `shop.example.com` and `example.com` are one site. */
export function assessSelfReferrals(
  referrers: readonly ReferrerRow[],
  ownSites: readonly string[],
  sales: readonly SaleRow[],
  dayOf: DayOf,
): Verdict {
  if (ownSites.length === 0) return notApplicable
  const sites = new Set(ownSites.map(siteOf))
  const affected = referrers.filter(({ host, touches }) => touches >= FEW && sites.has(siteOf(host)))
  return affected.length === 0 ? ok : finding('warning', ofReferrers(affected, sales, dayOf))
}

/** Without listed domains, events from a single site are no finding. */
export function assessUnlisted(sites: readonly SiteRow[], domains: readonly string[], dayOf: DayOf): Verdict {
  const frequentSites = sites.filter(({ events }) => events >= FEW)
  if (frequentSites.length === 0) return notApplicable
  const isOne = new Set(frequentSites.map(({ host }) => siteOf(host))).size === 1
  const affected =
    domains.length === 0 && isOne ? [] : frequentSites.filter(({ host }) => !isWithin(host, domains))
  if (affected.length === 0) return ok
  return finding('warning', {
    count: total(affected, ({ events }) => events),
    valueMinor: null,
    since: earliest(affected.map(({ since }) => dayOf(since))),
    examples: affected.map(({ host, events }) => example('site', host, { count: events })),
  })
}

const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

const secondLevel = /^(co|com|org|net|gov|ac|edu)$/

/** The last two parts of a host, or three under `co.uk` and the like. */
export function siteOf(host: string): string {
  const parts = host.split('.')
  const isCountry = parts.at(-1)?.length === 2 && secondLevel.test(parts.at(-2) ?? '')
  return parts.slice(isCountry ? -3 : -2).join('.')
}
