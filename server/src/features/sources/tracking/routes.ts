import type { ProfileContext, Service } from '../../../context.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { bind, pageRoute, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { type DomainRow, listTrackingDomains } from './domain-queries.ts'
import * as domains from './domains.ts'
import { Verification } from './fields.ts'
import * as operations from './operations.ts'
import {
  type EventRow,
  getTrackingSettings,
  type KeyRow,
  listTrackingKeys,
  type TrackingSettings,
  toSettings,
} from './queries.ts'
import { checkUrl, type VerificationRow } from './verifications.ts'

const toKey = ({ authorization_id: _, ...row }: KeyRow) => row

const toDomain = ({ authorization_id: _, ...row }: domains.ShownDomain, service: Service) => ({
  ...row,
  cname_target: domains.cnameTarget(service),
})

const shownDomains = async (context: ProfileContext, rows: readonly DomainRow[]) =>
  (await domains.showDomains(context, rows)).map((row) => toDomain(row, context.service))

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
    consentSignals: body.consent_signals,
    gpc: body.gpc,
    excludePaths: body.exclude_paths,
  }
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as Partial<TrackingSettings>
}

const toVerification = (row: VerificationRow, now: Date) =>
  toReply(Verification, row, {
    status: row.status === 'waiting' && row.expires_at <= now ? 'expired' : row.status,
    check_url: checkUrl(row),
  })

const toEvent = ({ name, ...row }: EventRow) => ({
  ...row,
  event_name: name,
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
  ...bind(contract, { revokeTrackingKey: operations.revokeTrackingKey }),
  ...bind(contract, {
    getTrackingSnippet: operations.getTrackingSnippet,
    getTagManagerInstaller: operations.getTagManagerInstaller,
    getTrackingTemplates: operations.getTrackingTemplates,
    getStorefrontPixelInstaller: operations.getStorefrontPixelInstaller,
  }),
  route(contract.listTrackingDomains, async (context) => ({
    data: await shownDomains(
      context,
      await listTrackingDomains(context.db, { profileId: context.profile.id }),
    ),
  })),
  route(contract.createTrackingDomain, async (context, { body }) => ({
    data: (await shownDomains(context, [await domains.createTrackingDomain(context, body.domain)]))[0]!,
  })),
  ...bind(contract, { deleteTrackingDomain: domains.deleteTrackingDomain }),
  route(contract.verifyTrackingDomain, async (context, { params }) => ({
    data: (await shownDomains(context, [await domains.verifyTrackingDomain(context, params.id)]))[0]!,
  })),
  pageRoute(contract.listTrackedEvents, operations.listTrackedEvents, toEvent, ({ cursor }) =>
    operations.readCursor(cursor),
  ),
  ...bind(contract, { getTrackingOps: operations.getTrackingOps }),
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
  ...bind(contract, { getTrackingQuality: operations.getTrackingQuality }),
  route(contract.getReplayStatus, async (context) => {
    const row = await operations.getReplayStatus(context)
    if (row === undefined) return { data: null }
    const { id, ...rest } = row
    return { data: { ...rest, recompute_id: id } }
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
