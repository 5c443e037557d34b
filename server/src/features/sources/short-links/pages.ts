/** Redirects of short links: no cookie, no address of the visitor, and no write before the response. */
import { randomBytes } from 'node:crypto'
import type { Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { cachedBriefly } from '../../../platform/access/short-cache.ts'
import { toChatCode } from '../../../platform/contract/chat-codes.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { html } from '../../../platform/http/html.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { createLocalLimits } from '../../../platform/http/rate-limit.ts'
import { hashOfCode } from '../../facts/chat-codes/queries.ts'
import { readAgent } from '../tracking/enrich.ts'
import { getTrackingSettings } from '../tracking/queries.ts'
import { countClick } from './clicks.ts'
import { findLinkBySlug, type LinkRow, listProfilesOfDomain } from './queries.ts'
import { chatAddress, pageAddress, refuseTargetUrl } from './rules.ts'

/** 100 a second per link and process. */
const limit = { perMinute: 6000, burst: 100 }
const limits = createLocalLimits()
const SLUG = /^[a-z0-9-]{1,40}$/
/** Agents that fetch a link to show a preview of it. */
const PREVIEWS =
  /whatsapp|slackbot|telegrambot|discordbot|facebookexternalhit|twitterbot|linkedinbot|skypeuripreview/i

export const shortLinkPages: readonly PageRoute[] = [
  { method: 'GET', path: '/l/{slug}', handle: onOwnDomain },
  { method: 'GET', path: '/l/{profileId}/{slug}', handle: onServiceHost },
]

type Found = { profileId: string; timezone: string; link: LinkRow }

async function onOwnDomain(service: Service, request: PageRequest): Promise<PageReply> {
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
  const profileIds = await cachedBriefly(service, 'link_host', host, () =>
    listProfilesOfDomain(service.db, host),
  )
  for (const profileId of profileIds) {
    const found = await findTarget(service, profileId, request.params.slug ?? '')
    if (found !== undefined) return redirect(service, request, found)
  }
  return missing()
}

/** Until a tracking domain is verified. */
async function onServiceHost(service: Service, request: PageRequest): Promise<PageReply> {
  const { profileId = '', slug = '' } = request.params
  const found = isUuid(profileId) ? await findTarget(service, profileId, slug) : undefined
  return found === undefined ? missing() : redirect(service, request, found)
}

function findTarget(
  service: Service,
  profileId: string,
  slug: string,
): Promise<Found | undefined> | Found | undefined {
  if (!SLUG.test(slug)) return undefined
  return cachedBriefly(service, 'short_link', `${profileId} ${slug}`, async () => {
    const { db } = await service.nodes.of(profileId)
    const link = await findLinkBySlug(db, { profileId, slug })
    if (!link?.enabled) return undefined
    const profile = await findProfileRef(db, { profileId })
    if (profile === undefined) return undefined
    const { allowedDomains } = await getTrackingSettings(db, { profileId })
    // A domain that was taken off the settings is no longer a target.
    const isAllowed = link.url === null || refuseTargetUrl(link.url, allowedDomains) === null
    return isAllowed ? { profileId, timezone: profile.timezone, link } : undefined
  })
}

function redirect(service: Service, request: PageRequest, { profileId, timezone, link }: Found): PageReply {
  const { allowed, retryAfterSeconds } = limits(link.id, limit, 1)
  if (!allowed)
    return page(429, 'Too many visits', 'Please try again in a moment.', {
      'retry-after': String(retryAfterSeconds),
    })
  const now = service.clock.now()
  const agent = request.headers['user-agent'] ?? ''
  const isBot = request.method === 'HEAD' || PREVIEWS.test(agent) || readAgent(agent).isBot
  const code = link.chat === null ? null : toChatCode(randomBytes(6))
  const location =
    link.chat === null ? pageAddress(link.slug, link, request.query) : chatAddress(link.chat, code!)
  countClick(service, {
    profileId,
    linkId: link.id,
    day: localDay(now, timezone),
    isBot,
    now,
    codeHash: code === null || isBot ? null : hashOfCode(code),
  })
  return {
    status: 302,
    headers: { location, 'referrer-policy': 'no-referrer-when-downgrade' },
    body: null,
  }
}

const missing = () =>
  page(404, 'This link leads nowhere', 'It was removed, or the address has a typing error.')

const page = (
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
): PageReply => ({
  status,
  headers,
  body: html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
})
