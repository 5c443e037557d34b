/** Data that the list of ads does not contain: sizes of images and videos, and kinds of audiences. */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { callGraph, readWholeList } from './calls.ts'
import {
  type AdItem,
  type AdSetItem,
  Audience,
  Image,
  type Media,
  parseCreative,
  Video,
  videoIdOf,
} from './creative-fields.ts'

const IDS_PER_CALL = 50

/** Sizes are optional: a failed read, such as of a video of another page, must not fail the sync. */
export async function readMedia(session: Session, ads: readonly AdItem[]): Promise<Media> {
  const videoIds = [...new Set(ads.flatMap((ad) => videoIdOf(ad) ?? []))]
  const hashes = [...new Set(ads.flatMap((ad) => parseCreative(ad)?.image_hash ?? []))]
  const media: Media = { images: new Map(), videos: new Map() }
  for (let start = 0; start < videoIds.length; start += IDS_PER_CALL) {
    const ids = videoIds.slice(start, start + IDS_PER_CALL)
    const videos = await readOrDefault(() => readVideos(session, ids), {})
    for (const [videoId, { length, format }] of Object.entries(videos)) {
      const size = format?.find(({ width, height }) => width && height)
      media.videos.set(videoId, {
        width: size?.width ?? null,
        height: size?.height ?? null,
        durationMs: length ? Math.round(length * 1000) : null,
      })
    }
  }
  for (let start = 0; start < hashes.length; start += IDS_PER_CALL) {
    const requestedHashes = hashes.slice(start, start + IDS_PER_CALL)
    for (const image of await readOrDefault(() => readImages(session, requestedHashes), []))
      media.images.set(image.hash, { width: image.width ?? null, height: image.height ?? null })
  }
  return media
}

const readVideos = (session: Session, ids: string[]) =>
  callGraph(session.http, session.app, session.token.accessToken, {
    path: '/',
    query: { ids: ids.join(','), fields: 'id,length,format' },
    schema: z.record(z.string(), Video),
  })

const readImages = (session: Session, hashes: string[]) =>
  readWholeList(session.http, session.app, session.token, `/${session.accountId}/adimages`, Image, {
    hashes: JSON.stringify(hashes),
    fields: 'hash,width,height',
  })

async function readOrDefault<T>(read: () => Promise<T>, defaultValue: T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isRefused =
      error instanceof ProviderError &&
      ['permission_missing', 'not_found', 'rejected', 'malformed'].includes(error.reason)
    if (isRefused) return defaultValue
    throw error
  }
}

/** Subtype by audience id, which distinguishes known people from lookalikes. */
export async function readAudiences(
  session: Session,
  adSets: readonly AdSetItem[],
): Promise<Map<string, string | null>> {
  if (!adSets.some((adSet) => (adSet.targeting?.custom_audiences?.length ?? 0) > 0)) return new Map()
  const read = () =>
    readWholeList(
      session.http,
      session.app,
      session.token,
      `/${session.accountId}/customaudiences`,
      Audience,
      { fields: 'id,subtype', limit: 200 },
    )
  return new Map((await readOrDefault(read, [])).map((audience) => [audience.id, audience.subtype]))
}
