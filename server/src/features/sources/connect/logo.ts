/** Proxies an app's logo, so that the page loads nothing from third parties. */

import type { Service } from '../../../context.ts'
import { BoundedCache } from '../../../platform/bounded-cache.ts'

const CACHE_MS = 10 * 60_000
const MAX_CACHED = 200
const imageTypes = /^image\/(png|jpeg|gif|webp|svg\+xml|x-icon|vnd\.microsoft\.icon)\b/

type Logo = { contentType: string; bytes: Buffer }
type CachedLogo = { logo: Logo | undefined; until: number }
const caches = new WeakMap<Service, BoundedCache<string, CachedLogo>>()

export async function readLogo(service: Service, url: string): Promise<Logo | undefined> {
  const cache = caches.get(service) ?? new BoundedCache<string, CachedLogo>(MAX_CACHED)
  caches.set(service, cache)
  const cached = cache.get(url)
  if (cached !== undefined && cached.until > performance.now()) return cached.logo
  const logo = await fetchLogo(service, url)
  cache.set(url, { logo, until: performance.now() + CACHE_MS })
  return logo
}

async function fetchLogo(service: Service, url: string): Promise<Logo | undefined> {
  try {
    const reply = await service.publicHttp.send({ method: 'GET', url, timeoutMs: 3000 })
    const contentType = reply.headers['content-type'] ?? ''
    if (reply.status !== 200 || !imageTypes.test(contentType)) return undefined
    return { contentType, bytes: Buffer.from(reply.bytes) }
  } catch (error) {
    service.log.debug('logo not read', { error })
    return undefined
  }
}
