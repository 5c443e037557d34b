import { encode } from 'uqr'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { readIdCursor, toPage } from '../../../platform/contract/page.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { listTrackingDomains } from '../tracking/domain-queries.ts'
import { getTrackingSettings } from '../tracking/queries.ts'
import type { createShortLink as Created, updateShortLink as Updated } from './contract.ts'
import * as queries from './queries.ts'
import {
  effectiveUtm,
  refuseChat,
  refuseSlug,
  refuseTargetUrl,
  SLUG_REST_DAYS,
  type Target,
  toSvg,
} from './rules.ts'

type Fields = z.output<(typeof Updated)['body'] & object>
const noLink = () => new ApiError('not_found', 'No such short link.')

export async function listShortLinks(
  context: ProfileContext,
  query: { cursor?: string | undefined; limit: number },
) {
  const after = accepted(readIdCursor(query.cursor))
  const links = await queries.listLinks(context.db, {
    profileId: context.profile.id,
    after,
    limit: query.limit + 1,
  })
  const { rows, pagination } = toPage(links, query.limit, (last) => [last.id])
  return { data: await showLinks(context, rows), pagination }
}

export async function createShortLink(
  context: ProfileContext,
  body: z.output<(typeof Created)['body'] & object>,
) {
  const { now } = context
  const profileId = context.profile.id
  accepted(refuseSlug(body.slug))
  const target = await toTarget(context, body, { url: null, chat: null, utm: {}, ad: null })
  const link = {
    ...target,
    id: uuidv7(now),
    slug: body.slug,
    title: body.title || null,
    enabled: body.enabled ?? true,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await inTransaction(context.db, async (tx) => {
    await requireBelowLimit(tx, 'short_links', profileId, () => queries.countLinks(tx, { profileId }))
    const since = new Date(now.getTime() - SLUG_REST_DAYS * DAY_MS)
    if (await queries.isSlugTaken(tx, { profileId, slug: body.slug, since }))
      throw new ApiError(
        'invalid_state',
        `The address ${body.slug} is taken, or was deleted less than ${SLUG_REST_DAYS} days ago.`,
        { reason: 'slug_taken' },
      )
    await queries.insertLink(tx, { profileId, link })
    await recordSetting(tx, context, {
      action: 'short_link.created',
      subject: link.id,
      before: null,
      after: { slug: link.slug, ...target },
    })
  })
  return showLink(context, link)
}

export async function updateShortLink(context: ProfileContext, id: string, body: Fields) {
  const profileId = context.profile.id
  const updated = await inTransaction(context.db, async (tx) => {
    const before = await queries.lockLink(tx, { profileId, id })
    if (before === undefined) throw noLink()
    const target = await toTarget({ ...context, db: tx }, body, before)
    const after = {
      ...before,
      ...target,
      title: body.title === undefined ? before.title : body.title || null,
      enabled: body.enabled ?? before.enabled,
      version: before.version + 1,
      updatedAt: context.now,
    }
    await queries.updateLink(tx, { profileId, link: after })
    const setting = ({ url, chat, utm, ad, title, enabled }: queries.LinkRow) => ({
      url,
      chat,
      utm,
      ad,
      title,
      enabled,
    })
    await recordSetting(tx, context, {
      action: 'short_link.changed',
      subject: id,
      before: setting(before),
      after: setting(after),
    })
    return after
  })
  return showLink(context, updated)
}

export async function deleteShortLink(context: ProfileContext, id: string): Promise<void> {
  const { now } = context
  await inTransaction(context.db, async (tx) => {
    if (!(await queries.deleteLink(tx, { profileId: context.profile.id, id, now }))) throw noLink()
    await recordSetting(tx, context, {
      action: 'short_link.deleted',
      subject: id,
      before: { id },
      after: null,
    })
  })
}

export async function getShortLinkCode(
  context: ProfileContext,
  id: string,
  options: { size?: number | undefined; margin?: number | undefined; ecc: 'L' | 'M' | 'Q' | 'H' },
): Promise<string> {
  const link = await queries.findLink(context.db, { profileId: context.profile.id, id })
  if (link === undefined) throw noLink()
  const { url } = await addressesOf(context)(link.slug)
  // The requested level, never a higher one that the library would choose.
  const { data } = encode(url, { ecc: options.ecc, border: options.margin ?? 4, boostEcc: false })
  return toSvg(data, options.size ?? 512)
}

async function toTarget(context: ProfileContext, body: Partial<Fields>, before: Target): Promise<Target> {
  const target: Target = {
    url: body.chat !== undefined ? null : (body.target_url ?? before.url),
    chat:
      body.target_url !== undefined
        ? null
        : body.chat === undefined
          ? before.chat
          : { app: body.chat.app, account: body.chat.account, text: body.chat.text || null },
    utm: body.utm === undefined ? before.utm : withoutUndefined(body.utm),
    ad: body.ad === undefined ? before.ad : withoutUndefined(body.ad),
  }
  if (target.chat !== null) accepted(refuseChat(target.chat))
  else {
    const { allowedDomains } = await getTrackingSettings(context.db, { profileId: context.profile.id })
    accepted(refuseTargetUrl(target.url!, allowedDomains))
  }
  return target
}

const withoutUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

/** The address of a slug: on the profile's verified tracking domain, otherwise on the service's host. */
function addressesOf(context: ProfileContext) {
  const { BASE_URL, BASE_PATH } = context.service.config
  const profileId = context.profile.id
  const domain = listTrackingDomains(context.db, { profileId }).then((rows) =>
    rows.find((row) => row.status === 'verified'),
  )
  return async (slug: string) => {
    const verified = await domain
    return verified === undefined
      ? { url: `${BASE_URL}/l/${profileId}/${slug}`, on_own_domain: false }
      : { url: `https://${verified.domain}${BASE_PATH}/l/${slug}`, on_own_domain: true }
  }
}

const showLink = async (context: ProfileContext, link: queries.LinkRow) =>
  (await showLinks(context, [link]))[0]!

async function showLinks(context: ProfileContext, links: readonly queries.LinkRow[]) {
  const addressOf = addressesOf(context)
  const clicks = await queries.clicksOfLinks(context.db, {
    profileId: context.profile.id,
    ids: links.map((link) => link.id),
  })
  return Promise.all(
    links.map(async (link) => ({
      id: link.id,
      slug: link.slug,
      ...(await addressOf(link.slug)),
      target_url: link.url,
      chat: link.chat,
      title: link.title,
      utm: effectiveUtm(link.slug, link) as Record<string, string>,
      ad: link.ad as Record<string, string> | null,
      enabled: link.enabled,
      ...(clicks.get(link.id) ?? { clicks: 0, bots: 0, last_clicked_at: null }),
      created_at: link.createdAt,
      updated_at: link.updatedAt,
    })),
  )
}
