/** What the listing of ads does not tell: sizes of their images and videos, and what kind their audiences are. */
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

const IDS_AT_ONCE = 50

/** Sizes are worth a call or two, but never a sync: a video of someone else's page cannot be read. */
export async function readMedia(session: Session, ads: readonly AdItem[]): Promise<Media> {
  const videoIds = [...new Set(ads.flatMap((ad) => videoIdOf(ad) ?? []))]
  const hashes = [...new Set(ads.flatMap((ad) => parseCreative(ad)?.image_hash ?? []))]
  const media: Media = { images: new Map(), videos: new Map() }
  for (let start = 0; start < videoIds.length; start += IDS_AT_ONCE) {
    const ids = videoIds.slice(start, start + IDS_AT_ONCE)
    const found = await orNothing(() => readVideos(session, ids), {})
    for (const [videoId, { length, format }] of Object.entries(found)) {
      const size = format?.find(({ width, height }) => width && height)
      media.videos.set(videoId, {
        width: size?.width ?? null,
        height: size?.height ?? null,
        durationMs: length ? Math.round(length * 1000) : null,
      })
    }
  }
  for (let start = 0; start < hashes.length; start += IDS_AT_ONCE) {
    const asked = hashes.slice(start, start + IDS_AT_ONCE)
    for (const image of await orNothing(() => readImages(session, asked), []))
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

async function orNothing<T>(read: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isRefused =
      error instanceof ProviderError &&
      ['permission_missing', 'not_found', 'rejected', 'malformed'].includes(error.reason)
    if (isRefused) return nothing
    throw error
  }
}

/** What kind each named audience is: made of known people, or of people like them. */
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
  return new Map((await orNothing(read, [])).map((audience) => [audience.id, audience.subtype]))
}
