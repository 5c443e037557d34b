/** Serves a live link. Figures are read through the API's operations on each view. */
import type { Model } from '@whence/engine'
import { isHealthcare, type ProfileRef, type Service } from '../../../context.ts'
import {
  linkDeviceName,
  liveLinkDeviceCookie,
  liveLinkSubject,
} from '../../../platform/access/known-devices.ts'
import { limitGuesses } from '../../../platform/access/limits.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { parseDateRange } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { cookieName, setCookie } from '../../../platform/http/base-path.ts'
import { clientKey } from '../../../platform/http/open-requests.ts'
import { type PageReply, type PageRequest, readForm } from '../../../platform/http/page-route.ts'
import { requireUnit } from '../../../platform/http/rate-limit.ts'
import { verifyPassword } from '../../../platform/secrets/passwords.ts'
import { requirePaidPlan } from '../../account/workspaces/plan.ts'
import { missingPage, shareHeaders } from '../../advice/top-performers/share-page.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { getChannels } from '../../insights/reports/channels/report.ts'
import { loadBrand, plainBrand } from '../client-reports/brand.ts'
import { readFacts } from '../client-reports/facts.ts'
import { type Days, periodDays } from '../client-reports/period-rules.ts'
import type { Brand } from '../client-reports/render-html.ts'
import type { Language } from '../client-reports/words.ts'
import { LivePeriod, type LiveReport } from './contract.ts'
import { feature } from './operations.ts'
import { busyPage, type ChannelLine, headersFor, livePage, passwordPage } from './page.ts'
import { countView, findLink, type LiveLinkRow } from './queries.ts'
import { isUnlocked, readLinkToken, UNLOCKED_SECONDS, unlockedCookie } from './rules.ts'
import { liveWords } from './words.ts'

/** Every view reads complete reports, so views are rate-limited per visitor and per link. */
const PER_VISITOR = { perMinute: 30, burst: 30 }
const PER_LINK = { perMinute: 120, burst: 120 }

type Theme = { brand: Brand; language: Language }

export async function openLiveLink(service: Service, request: PageRequest): Promise<PageReply> {
  const link = await findOpenLink(service, request.params.token ?? '')
  const profile = link && (await findProfileRef(service.db, { profileId: link.profile_id }))
  if (link === undefined || profile === undefined || !isAllowed(link, profile))
    return { status: 404, headers: shareHeaders, body: missingPage() }
  if (!(await isPaid(service, profile.workspaceId)))
    return { status: 404, headers: shareHeaders, body: missingPage() }
  const language = link.language as Language
  const wait = await waitSeconds(service, link.id, request.ip)
  // Checked before the branding is loaded: decoding a logo costs more than a refusal.
  if (wait !== null) return busy(language, wait)
  const theme = { brand: await loadBrand(service.db, profile.workspaceId), language }
  const headers = headersFor(theme.brand)
  if (link.password_hash !== null) {
    const reply = await requirePassword(service, request, link, theme)
    if (reply !== null) return { headers, ...reply }
  }
  const now = service.clock.now()
  const requested = LivePeriod.safeParse(request.query.period)
  const period = requested.success ? requested.data : (link.period as LivePeriod)
  const days = periodDays(period, now, profile.timezone)
  const reports = link.reports as LiveReport[]
  const model = link.model as Model
  const facts = await readFacts(service, profile, { days, model, now })
  const channels = reports.includes('channels')
    ? await readChannels({ service, profile, now }, days, model)
    : []
  await countView(service.db, { profileId: profile.id, id: link.id, now })
  const view = { name: link.name, period, reports, expiresAt: link.expires_at, now }
  return { status: 200, headers, body: livePage(theme, view, facts, channels) }
}

/** A link created before the profile became a healthcare profile lacks the decision of an owner or admin. */
const isAllowed = (link: LiveLinkRow, profile: ProfileRef): boolean =>
  link.for_healthcare || !isHealthcare(profile)

async function findOpenLink(service: Service, token: string): Promise<LiveLinkRow | undefined> {
  const ids = readLinkToken(service.identityPepper, token)
  const link = ids && (await findLink(service.db, { profileIds: [ids.profileId], id: ids.id }))
  if (link === undefined || link.revoked_at !== null) return undefined
  return link.expires_at > service.clock.now() ? link : undefined
}

async function isPaid(service: Service, workspaceId: string): Promise<boolean> {
  try {
    await requirePaidPlan(service, service.db, { workspaceId, feature })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function busy(language: Language, wait: number): PageReply {
  const headers = { ...headersFor(plainBrand), 'retry-after': String(wait) }
  return { status: 429, headers, body: busyPage({ brand: plainBrand, language }) }
}

/** Seconds to wait; null if the view is within the limits. */
async function waitSeconds(service: Service, id: string, ip: string): Promise<number | null> {
  const spend = (key: string, limit: typeof PER_VISITOR) =>
    requireUnit(service.db, { key, limit, now: service.clock.machineNow(), message: 'Too many views.' })
  try {
    await spend(`live-link-view:${id} from ${clientKey(ip)}`, PER_VISITOR)
    await spend(`live-link-view:${id}`, PER_LINK)
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.retryAfter ?? 60
    throw error
  }
}

/** Shows the password page or checks the password; null if this browser is unlocked. */
async function requirePassword(
  service: Service,
  request: PageRequest,
  link: LiveLinkRow,
  theme: Theme,
): Promise<PageReply | null> {
  const { identityPepper: key, config } = service
  const now = service.clock.machineNow()
  const cookie = `live_${link.id}`
  const texts = liveWords[theme.language]
  if (request.method !== 'POST')
    return isUnlocked(key, link.id, request.cookie(cookieName(config, cookie)), now)
      ? null
      : { status: 200, body: passwordPage(theme, null) }
  try {
    const device = request.cookie(linkDeviceName(service, link.id))
    await limitGuesses(service, {
      subject: liveLinkSubject(link.id),
      ip: request.ip,
      device,
      message: texts.tooManyTries,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: 429, body: passwordPage(theme, error.message) }
  }
  if (!(await verifyPassword(link.password_hash!, readForm(request)?.password ?? '')))
    return { status: 403, body: passwordPage(theme, texts.wrongPassword) }
  const value = unlockedCookie(key, link.id, now)
  return {
    status: 303,
    // Relative, so that it works below any path prefix.
    headers: { ...shareHeaders, location: request.params.token! },
    cookies: [
      liveLinkDeviceCookie(service, link.id),
      setCookie(config, { name: cookie, value, seconds: UNLOCKED_SECONDS }),
    ],
    body: null,
  }
}

async function readChannels(context: ReportContext, days: Days, model: Model): Promise<ChannelLine[]> {
  const parsed = parseDateRange(days.from, days.to)
  if (!parsed.ok) throw new RangeError(`${parsed.field}: ${parsed.problem}`)
  const { data } = await getChannels(context, { range: parsed.range, model })
  const minor = (value: number | null) => (value === null ? null : toMinor(value, context.profile.currency)!)
  return data.map((row) => ({
    channel: row.channel,
    revenue: minor(row.outcome_value),
    payments: row.outcome_count,
    spend: minor(row.spend),
    roas: row.roas,
  }))
}
