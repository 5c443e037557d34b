/**
 * Fetches a thumbnail once, decodes it and keeps it as a small WebP. The browser of anyone who looks at a leaderboard
 * never meets the platform's host, and nothing but pixels comes through.
 */
import type { Service } from '../../../context.ts'
import { sniffImage } from '../../../platform/image-type.ts'
import { RETRY_AFTER_MS, sourceHash } from '../../facts/ads/thumbnail-rules.ts'
import { findThumbnail, saveThumbnail } from './queries/thumbnails.ts'

const SIDE = 480
const MAX_PIXELS = 40_000_000
const TIMEOUT_MS = 8000

/** One decoding at a time: an image may unpack to a hundred times its size. */
let turn: Promise<unknown> = Promise.resolve()

export async function getThumbnail(
  service: Service,
  image: { profileId: string; adId: string; hash: string },
): Promise<Buffer | null> {
  const known = await findThumbnail(service.db, image)
  if (known === undefined || known.source_url === null || sourceHash(known.source_url) !== image.hash)
    return null
  const now = service.clock.now()
  const isCurrent = known.source_hash === image.hash
  if (isCurrent && known.bytes !== null) return known.bytes
  if (isCurrent && known.fetched_at !== null && now.getTime() - known.fetched_at.getTime() < RETRY_AFTER_MS)
    return null
  const bytes = await fetchImage(service, known.source_url)
  await saveThumbnail(service.db, image, { sourceHash: image.hash, bytes, now })
  return bytes
}

async function fetchImage(service: Service, url: string): Promise<Buffer | null> {
  try {
    // The platform's own host is the operator's choice; every other address must be a public one.
    const http = isProviderHost(service, url) ? service.providerHttp : service.imageHttp
    const reply = await http.send({ method: 'GET', url, timeoutMs: TIMEOUT_MS })
    if (reply.status !== 200 || sniffImage(reply.bytes) === undefined) return null
    const decoded = turn.then(() => encode(reply.bytes))
    turn = decoded.catch(() => undefined)
    return await decoded
  } catch (error) {
    service.log.warn('thumbnail not read', { error })
    return null
  }
}

async function encode(bytes: Uint8Array): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' })
    .rotate()
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer()
}

function isProviderHost(service: Service, url: string): boolean {
  const origin = URL.canParse(url) ? new URL(url).origin : null
  return [...service.providers.values()].some(({ app }) => new URL(app.apiBaseUrl).origin === origin)
}
