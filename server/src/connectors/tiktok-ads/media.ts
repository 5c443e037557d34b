/** Reads covers and sizes of the videos and images of ads. Files of other accounts cannot be read. */
import { z } from 'zod'
import type { Session } from '../connector.ts'
import { parsedOrSetAside, readableItems } from '../set-aside.ts'
import { callTiktok, orElse } from './calls.ts'
import type { Media } from './mapping.ts'
import { type Ad, Image, Video } from './replies.ts'

const IDS_PER_CALL = 50

async function readFiles<T>(
  session: Session,
  path: string,
  parameter: string,
  ids: readonly string[],
  item: z.ZodType<T>,
): Promise<T[]> {
  const files: T[] = []
  const schema = z.looseObject({ list: z.array(parsedOrSetAside('file', item)).nullish() })
  for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
    const query = {
      advertiser_id: session.accountId,
      [parameter]: ids.slice(start, start + IDS_PER_CALL),
    }
    const { list } = await orElse(
      () => callTiktok(session, path, { query, schema }),
      () => ({ list: null }),
    )
    files.push(...readableItems(list ?? []))
  }
  return files
}

export async function readMedia(session: Session, ads: readonly Ad[]): Promise<Media> {
  const videoIds = [...new Set(ads.flatMap((ad) => ad.video_id ?? []))]
  // Video ads use the video's cover instead.
  const imageIds = [...new Set(ads.flatMap((ad) => (ad.video_id === null ? ad.image_ids.slice(0, 1) : [])))]
  const videos = await readFiles(session, '/file/video/ad/info/', 'video_ids', videoIds, Video)
  const images = await readFiles(session, '/file/image/ad/info/', 'image_ids', imageIds, Image)
  return {
    videos: new Map(videos.map((video) => [video.video_id, video])),
    images: new Map(images.map((image) => [image.image_id, image])),
  }
}
