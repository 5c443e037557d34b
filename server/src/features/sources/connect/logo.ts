/** An app's logo is fetched by the service, so that the page asks no third party for anything. */

import type { Service } from '../../../context.ts'
import { BoundedCache } from '../../../platform/bounded-cache.ts'

const KEEP_MS = 10 * 60_000
const MAX_KEPT = 200
const imageTypes = /^image\/(png|jpeg|gif|webp|svg\+xml|x-icon|vnd\.microsoft\.icon)\b/

type Logo = { contentType: string; bytes: Buffer }
type Kept = { logo: Logo | undefined; until: number }
const kept = new WeakMap<Service, BoundedCache<string, Kept>>()

export async function readLogo(service: Service, url: string): Promise<Logo | undefined> {
  const cache = kept.get(service) ?? new BoundedCache<string, Kept>(MAX_KEPT)
  kept.set(service, cache)
  const known = cache.get(url)
  if (known !== undefined && known.until > performance.now()) return known.logo
  const logo = await fetchLogo(service, url)
  cache.set(url, { logo, until: performance.now() + KEEP_MS })
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
