/** Thumbnail URLs. They are signed, so only URLs that we returned can be loaded, and change when the image changes. */

import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../../platform/contract/dates.ts'

export const sourceHash = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 32)

type Image = { profileId: string; adId: string; hash: string }

/** The prefix separates these signatures from other uses of the key. */
const sign = (key: KeyObject, { profileId, adId, hash }: Image): string =>
  createHmac('sha256', key).update(`thumbnail ${profileId} ${adId} ${hash}`).digest('hex').slice(0, 32)

export function thumbnailUrl(
  service: { config: { BASE_URL: string }; identityPepper: KeyObject },
  profileId: string,
  ad: { ad_id: string; thumbnail_url: string | null },
): string | null {
  if (ad.thumbnail_url === null) return null
  const hash = sourceHash(ad.thumbnail_url)
  const signature = sign(service.identityPepper, { profileId, adId: ad.ad_id, hash })
  return `${service.config.BASE_URL}/thumbnails/${profileId}/${ad.ad_id}/${hash}-${signature}.webp`
}

/** The image of a thumbnail URL; undefined if the signature is invalid. */
export function readThumbnailName(
  key: KeyObject,
  params: { profileId: string; adId: string; name: string },
): Image | undefined {
  const [, hash, signature] = /^([0-9a-f]{32})-([0-9a-f]{32})\.webp$/.exec(params.name) ?? []
  if (hash === undefined || signature === undefined) return undefined
  const image = { profileId: params.profileId, adId: params.adId, hash }
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, image))) ? image : undefined
}

export const RETRY_AFTER_MS = DAY_MS
