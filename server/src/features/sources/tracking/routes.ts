import type { ProfileContext, Service } from '../../../context.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { type DomainRow, listTrackingDomains } from './domain-queries.ts'
import * as domains from './domains.ts'
import * as operations from './operations.ts'
import {
  type EventRow,
  getTrackingSettings,
  type KeyRow,
  listTrackingKeys,
  type TrackingSettings,
} from './queries.ts'
import { checkUrl, type VerificationRow } from './verifications.ts'

const iso = (time: Date | null) => time?.toISOString() ?? null
const toKey = ({ authorization_id: _, ...row }: KeyRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
})

const toDomain = ({ authorization_id: _, ...row }: domains.ShownDomain, service: Service) => ({
  ...row,
  cname_target: domains.cnameTarget(service),
  created_at: row.created_at.toISOString(),
  checked_at: iso(row.checked_at),
})

const shownDomains = async (context: ProfileContext, rows: readonly DomainRow[]) =>
  (await domains.showDomains(context, rows)).map((row) => toDomain(row, context.service))

const toSettings = (settings: TrackingSettings) => ({
  session_minutes: settings.sessionMinutes,
  consent_mode: settings.consentMode,
  forms: settings.forms,
  spa: settings.spa,
  allowed_domains: settings.allowedDomains,
  filter_bots: settings.filterBots,
  enrich_country: settings.enrichCountry,
  browser_revenue: settings.browserRevenue,
})

function fromSettings(body: Partial<ReturnType<typeof toSettings>>): Partial<TrackingSettings> {
  const change = {
    sessionMinutes: body.session_minutes,
    consentMode: body.consent_mode,
    forms: body.forms,
    spa: body.spa,
    allowedDomains: body.allowed_domains,
    filterBots: body.filter_bots,
    enrichCountry: body.enrich_country,
    browserRevenue: body.browser_revenue,
  }
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<TrackingSettings>
}

const toVerification = (row: VerificationRow, now: Date) => ({
  id: row.id,
  status: row.status === 'waiting' && row.expires_at <= now ? ('expired' as const) : row.status,
  url: row.url,
  check_url: checkUrl(row),
  seen_url: row.seen_url,
  started_at: row.started_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  seen_at: iso(row.seen_at),
})

const toEvent = ({ name, ...row }: EventRow) => ({
  ...row,
  event_name: name,
  occurred_at: row.occurred_at.toISOString(),
  received_at: row.received_at.toISOString(),
  device: row.device ?? {},
  utm: row.utm ?? {},
  click_ids: row.click_ids ?? {},
})

export const trackingRoutes: readonly Route[] = [
  route(contract.issueTrackingKey, async (context) => {
    const { key, created } = await operations.issueTrackingKey(context)
    return { data: toKey(key), status: created ? 201 : 200 }
  }),
  route(contract.listTrackingKeys, async (context) => ({
    data: (await listTrackingKeys(context.db, { profileId: context.profile.id })).map(toKey),
  })),
  route(contract.revokeTrackingKey, async (context, { params }) => {
    await operations.revokeTrackingKey(context, params.id)
    return { data: null }
  }),
  route(contract.getTrackingSnippet, async (context, { query }) => ({
    data: await operations.getTrackingSnippet(context, query.social_pixel_id),
  })),
  route(contract.getTagManagerInstaller, async (context) => ({
    data: await operations.getTagManagerInstaller(context),
  })),
  route(contract.getTrackingTemplates, async (context) => ({
    data: await operations.getTrackingTemplates(context),
  })),
  route(contract.getStorefrontPixelInstaller, async (context) => ({
    data: await operations.getStorefrontPixelInstaller(context),
  })),
  route(contract.listTrackingDomains, async (context) => ({
    data: await shownDomains(
      context,
      await listTrackingDomains(context.db, { profileId: context.profile.id }),
    ),
  })),
  route(contract.createTrackingDomain, async (context, { body }) => ({
    data: (await shownDomains(context, [await domains.createTrackingDomain(context, body.domain)]))[0]!,
  })),
  route(contract.deleteTrackingDomain, async (context, { params }) => {
    await domains.deleteTrackingDomain(context, params.id)
    return { data: null }
  }),
  route(contract.verifyTrackingDomain, async (context, { params }) => ({
    data: (await shownDomains(context, [await domains.verifyTrackingDomain(context, params.id)]))[0]!,
  })),
  route(
    contract.listTrackedEvents,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listTrackedEvents(context, query)
      return { data: rows.map(toEvent), extra: { pagination } }
    },
    ({ query }) => operations.readCursor(query.cursor),
  ),
  route(contract.getTrackingOps, async (context) => {
    const {
      waiting,
      oldest_waiting_at: oldest,
      quarantine,
      ...lastDay
    } = await operations.getTrackingOps(context)
    const events = quarantine.events.map((row) => ({ ...row, set_aside_at: row.set_aside_at.toISOString() }))
    return {
      data: {
        waiting,
        oldest_waiting_at: iso(oldest),
        last_24_hours: lastDay,
        quarantine: { count: quarantine.count, events },
      },
    }
  }),
  route(contract.getTrackingOrigin, async (context) => {
    const { origin, canonical, customDomain } = await operations.getTrackingOrigin(context)
    return {
      data: {
        origin,
        canonical_origin: canonical,
        custom_domain: customDomain,
        collect_url: `${origin}/api/tracking/collect`,
      },
    }
  }),
  route(contract.getTrackingQuality, async (context) => {
    const quality = await operations.getTrackingQuality(context)
    return { data: { ...quality, last_event_at: iso(quality.last_event_at) } }
  }),
  route(contract.getReplayStatus, async (context) => {
    const row = await operations.getReplayStatus(context)
    if (row === undefined) return { data: null }
    const { id, ...rest } = row
    return {
      data: {
        ...rest,
        recompute_id: id,
        requested_at: row.requested_at.toISOString(),
        started_at: iso(row.started_at),
        finished_at: iso(row.finished_at),
      },
    }
  }),
  route(contract.getTrackingSettings, async (context) => ({
    data: toSettings(await getTrackingSettings(context.db, { profileId: context.profile.id })),
  })),
  route(contract.updateTrackingSettings, async (context, { body }) => ({
    data: toSettings(await operations.updateTrackingSettings(context, fromSettings(body))),
  })),
  route(contract.getVerification, async (context) => {
    const row = await operations.getVerification(context)
    return { data: row === undefined ? null : toVerification(row, context.now) }
  }),
  route(contract.startVerification, async (context, { body }) => ({
    data: toVerification(await operations.startVerification(context, body.url), context.now),
  })),
]
