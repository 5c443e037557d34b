/**
 * Fetches a thumbnail once, decodes it and stores it as a small WebP. A viewer's browser never contacts the platform's
 * host, and only pixels are passed on.
 */
import type { Service } from '../../../context.ts'
import { sniffImage } from '../../../platform/image-type.ts'
import { RETRY_AFTER_MS, sourceHash } from '../../facts/ads/thumbnail-rules.ts'
import { findThumbnail, saveThumbnail } from './queries/thumbnails.ts'

const SIDE = 480
const MAX_PIXELS = 40_000_000
const TIMEOUT_MS = 8000

/** Serializes decoding: an image may decompress to a hundred times its size. */
let turn: Promise<unknown> = Promise.resolve()

export async function getThumbnail(
  service: Service,
  image: { profileId: string; adId: string; hash: string },
): Promise<Buffer | null> {
  const stored = await findThumbnail(service.db, image)
  if (stored === undefined || stored.source_url === null || sourceHash(stored.source_url) !== image.hash)
    return null
  const now = service.clock.now()
  const isCurrent = stored.source_hash === image.hash
  if (isCurrent && stored.bytes !== null) return stored.bytes
  if (isCurrent && stored.fetched_at !== null && now.getTime() - stored.fetched_at.getTime() < RETRY_AFTER_MS)
    return null
  const bytes = await fetchImage(service, stored.source_url)
  await saveThumbnail(service.db, image, { sourceHash: image.hash, bytes, now })
  return bytes
}

async function fetchImage(service: Service, url: string): Promise<Buffer | null> {
  try {
    // Provider hosts are configured by the operator; any other address must be public.
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
