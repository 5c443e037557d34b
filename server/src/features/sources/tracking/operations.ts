import { authorizationOf, type ProfileContext } from '../../../context.ts'
import { requireHealthcareDecider } from '../../../platform/access/decisions.ts'
import { clearShortCache } from '../../../platform/access/short-cache.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordInProfile, recordSetting } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { readTimeCursor, toPage } from '../../../platform/contract/page.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { lookupHash, mintToken, randomToken } from '../../../platform/secrets/tokens.ts'
import { listConsentCounts } from '../../facts/consents/daily.ts'
import { listGoalsByName } from '../../facts/events/event-names.ts'
import { readQuarantine } from '../../facts/events/quarantine.ts'
import { enqueueBrowserPayments } from '../../facts/events/queue.ts'
import { listTrackingDomains } from './domain-queries.ts'
import { type ExcludedRow, listExcluded } from './excluded-queries.ts'
import { storefrontPixel, tagManagerContainer, trackerSnippet } from './installers.ts'
import * as queries from './queries.ts'
import { arrivalState, findingsOf, nameFindings } from './rules.ts'
import { trackingTemplates } from './templates.ts'
import {
  countVerifications,
  deleteExpiredVerifications,
  findVerification,
  insertVerification,
} from './verifications.ts'

/** Maximum length of the list; the count covers all. */
const MAX_QUARANTINED_LISTED = 50
const VERIFICATION_MS = 30 * 60_000

/** Idempotent: a profile has at most one active key. */
export async function issueTrackingKey(
  context: ProfileContext,
): Promise<{ key: queries.KeyRow; created: boolean }> {
  const profileId = context.profile.id
  const result = await inTransaction(context.db, async (tx) => {
    await queries.lockKeys(tx, { profileId })
    const [active] = await queries.listTrackingKeys(tx, { profileId })
    const authorizationId = authorizationOf(context.caller)
    if (active !== undefined) {
      // Now used by someone other than the app that issued it, so it must not be revoked with that app.
      const isShared = active.authorization_id !== null && active.authorization_id !== authorizationId
      if (isShared) await queries.detachKeyFromApp(tx, { profileId, id: active.id })
      return { key: isShared ? { ...active, authorization_id: null } : active, created: false }
    }
    const { token, hint } = mintToken('tracking_key')
    const now = context.service.clock.machineNow()
    const key = { id: uuidv7(now), created_at: now, key: token, authorization_id: authorizationId }
    const lookup = lookupHash(context.service.keyring, token)
    await queries.insertKey(tx, { profileId, key, lookupHash: lookup, hint })
    await recordInProfile(tx, context, { action: 'tracking_key.issued', subject: key.id })
    return { key, created: true }
  })
  clearShortCache(context.service)
  return result
}

export async function revokeTrackingKey(context: ProfileContext, id: string): Promise<void> {
  const now = context.service.clock.machineNow()
  const profileId = context.profile.id
  await requireHealthcareDecider(context, 'Revoking a tracking key')
  await inTransaction(context.db, async (tx) => {
    if (!(await queries.revokeKey(tx, { profileId, id, now })))
      throw new ApiError('not_found', 'No such tracking key.')
    await recordInProfile(tx, context, { action: 'tracking_key.revoked', subject: id })
  })
  clearShortCache(context.service)
}

/** The origin that the tracker sends to: the profile's verified tracking domain, else the service. */
export async function getTrackingOrigin(context: ProfileContext) {
  const { BASE_URL: canonical, BASE_PATH } = context.service.config
  const verified = (await listTrackingDomains(context.db, { profileId: context.profile.id })).find(
    (row) => row.status === 'verified',
  )
  const origin = verified === undefined ? canonical : `https://${verified.domain}${BASE_PATH}`
  return { origin, canonical, customDomain: verified?.domain ?? null }
}

async function installOf(context: ProfileContext) {
  const [key] = await queries.listTrackingKeys(context.db, { profileId: context.profile.id })
  if (key === undefined)
    throw new ApiError('invalid_state', 'The profile has no tracking key yet.', {
      reason: 'no_tracking_key',
      hint: 'POST /tracking/keys creates one.',
    })
  const settings = await queries.getTrackingSettings(context.db, { profileId: context.profile.id })
  const { origin, canonical } = await getTrackingOrigin(context)
  return { key: key.key, origin, canonical, settings }
}

export async function getTrackingSnippet(
  context: ProfileContext,
  query: { social_pixel_id?: string | undefined },
) {
  const install = await installOf(context)
  return {
    html: trackerSnippet(install, query.social_pixel_id),
    key: install.key,
    src: `${install.origin}/tracker.js`,
  }
}

export async function getTagManagerInstaller(context: ProfileContext) {
  return tagManagerContainer(await installOf(context))
}

export async function getTrackingTemplates(context: ProfileContext) {
  const since = new Date(context.now.getTime() - 7 * DAY_MS).toISOString().slice(0, 10)
  const arrivals = await queries.listPaidArrivals(context.db, { profileId: context.profile.id, since })
  return trackingTemplates.map(({ source: _, ...template }) => {
    const arrival = arrivals.find(({ platform }) => platform === template.platform)
    const { clicks = 0, with_ad_id = 0, last_day = null } = arrival ?? {}
    return {
      ...template,
      clicks,
      with_ad_id,
      last_click_on: last_day,
      state: arrivalState(clicks, with_ad_id),
    }
  })
}

export async function getStorefrontPixelInstaller(context: ProfileContext) {
  return storefrontPixel(await installOf(context))
}

export async function listTrackedEvents(
  context: ProfileContext,
  query: { cursor?: string | undefined; limit: number; event_name?: string | undefined },
) {
  const before = readCursor(query.cursor)
  const rows = await queries.listEvents(context.db, {
    profileId: context.profile.id,
    limit: query.limit + 1,
    before,
    name: query.event_name ?? null,
  })
  return toPage(rows, query.limit, (row) => [row.occurred_at.toISOString(), row.id])
}

export const readCursor = (cursor: string | undefined) => accepted(readTimeCursor(cursor))

export async function getTrackingQuality(context: ProfileContext) {
  const since = new Date(context.now.getTime() - 7 * DAY_MS)
  const read = await queries.readQuality(context.db, { profileId: context.profile.id, since })
  const { gpc_events, ads_denied_events, unread_banner_events, ...quality } = read
  const sinceDay = localDay(since, context.profile.timezone)
  const counts = await listConsentCounts(context.db, {
    profileId: context.profile.id,
    from: sinceDay,
    to: localDay(context.now, context.profile.timezone),
  })
  const excluded = await listExcluded(context.db, {
    profileId: context.profile.id,
    from: sinceDay,
    to: localDay(context.now, context.profile.timezone),
  })
  const withheld = await queries.listWithheld(context.db, { profileId: context.profile.id, since })
  const goals = await listGoalsByName(context.db, { profileId: context.profile.id })
  const uncounted = await queries.listUncountedNames(context.db, {
    profileId: context.profile.id,
    since,
    counted: [...goals.keys()],
  })
  return {
    ...quality,
    excluded: {
      own_browsers: viewsOf(excluded, 'own'),
      paths: viewsOf(excluded, 'path'),
    },
    consent: {
      gpc_events,
      ads_denied_events,
      banner_seen_but_not_read: unread_banner_events > 0,
      sources: [...new Set(counts.map((row) => row.source))].sort(),
      withheld: withheld.map(({ value_minor: valueMinor, ...row }) => ({
        ...row,
        value: valueMinor === null ? null : toDecimalNumber(valueMinor, context.profile.currency),
      })),
    },
    ...findingsOf(read, nameFindings(uncounted, goals), context.now),
  }
}

const viewsOf = (rows: readonly ExcludedRow[], reason: ExcludedRow['reason']) =>
  rows.reduce((sum, row) => sum + (row.reason === reason ? row.page_views : 0), 0)

export async function getTrackingOps(context: ProfileContext) {
  const profileId = context.profile.id
  const [{ waiting, oldest_waiting_at, ...lastDay }, quarantine] = await Promise.all([
    queries.readOps(context.db, { profileId, since: new Date(context.now.getTime() - DAY_MS) }),
    readQuarantine(context.db, { profileId, limit: MAX_QUARANTINED_LISTED }),
  ])
  return { waiting, oldest_waiting_at, last_24_hours: lastDay, quarantine }
}

/** `browser_revenue` changes reported figures, so stored browser payments are processed again and the change is audited. */
export async function updateTrackingSettings(
  context: ProfileContext,
  change: Partial<queries.TrackingSettings>,
) {
  const profileId = context.profile.id
  const settings = await inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const before = await queries.getTrackingSettings(tx, { profileId })
    const after = { ...before, ...change }
    if (collectsOtherData(before, after))
      await requireHealthcareDecider(context, 'Changing what the tracker collects')
    await queries.saveSettings(tx, { profileId, settings: after, now: context.now })
    if (after.browserRevenue !== before.browserRevenue) {
      await recordInProfile(tx, context, {
        action: 'tracking_settings.browser_revenue_changed',
        detail: { before: before.browserRevenue, after: after.browserRevenue },
      })
      await enqueueBrowserPayments(tx, { profileId, from: null, to: null, cause: 'settings_changed' })
    }
    // Audited separately above.
    const omitted = { browserRevenue: undefined }
    await recordSetting(tx, context, {
      action: 'tracking_settings.changed',
      before: { ...before, ...omitted },
      after: { ...after, ...omitted },
    })
    return after
  })
  clearShortCache(context.service)
  context.service.processor.wake(profileId)
  return settings
}

/** Settings that decide whose data is collected, and which. */
const collectingSettings = [
  'consentMode',
  'consentSignals',
  'gpc',
  'forms',
  'enrichCountry',
  'allowedDomains',
] as const

const collectsOtherData = (before: queries.TrackingSettings, after: queries.TrackingSettings): boolean =>
  collectingSettings.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

export async function startVerification(context: ProfileContext, url: string) {
  const { now } = context
  const profileId = context.profile.id
  return inTransaction(context.db, async (tx) => {
    // Only the newest is shown, and an expired one accepts no report.
    await deleteExpiredVerifications(tx, { profileId, now })
    await requireBelowLimit(tx, 'install_checks', profileId, () => countVerifications(tx, { profileId }))
    return insertVerification(tx, {
      profileId,
      id: uuidv7(now),
      token: randomToken(16),
      url,
      now,
      expiresAt: new Date(now.getTime() + VERIFICATION_MS),
    })
  })
}

export async function getVerification(context: ProfileContext) {
  return findVerification(context.db, context.profile.id)
}

export async function getReplayStatus(context: ProfileContext) {
  return queries.findLastRecompute(context.db, { profileId: context.profile.id })
}
