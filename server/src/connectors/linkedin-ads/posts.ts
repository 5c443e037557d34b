/** Content of an ad: the post that its creative refers to, or the creative itself. */
import { z } from 'zod'
import { type AdCreativeDetail, aspectRatioMilli, hostOf } from '../ad-details.ts'
import { ProviderError, type Session } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { parsedOrSetAside, readableItems } from '../set-aside.ts'
import { callRest } from './calls.ts'
import type { Creative, ShownCreative } from './mapping.ts'
import { listOf } from './restli.ts'

const Media = z.looseObject({ id: text, title: text }).nullish()
const Card = z.looseObject({ landingPage: text, media: Media })
export const Post = z.looseObject({
  commentary: text,
  content: z
    .looseObject({
      article: z.looseObject({ title: text, source: text, thumbnail: text }).nullish(),
      media: Media,
      carousel: z.looseObject({ cards: z.array(parsedOrSetAside('card', Card)).nullish() }).nullish(),
      multiImage: z
        .looseObject({ images: z.array(z.looseObject({ id: text })).nullish() })
        .nullish()
        .catch({ images: null }),
    })
    .nullish(),
  contentLandingPage: text,
  contentCallToActionLabel: text,
})
export type Post = z.infer<typeof Post>
type Posts = ReadonlyMap<string, Post>

/** By the schema of the Images API (view li-lms-2026-05), read on 2026-11-18. */
const Image = z.looseObject({
  downloadUrl: z.url().nullish(),
  aspectRatioWidth: z.number().nullish(),
  aspectRatioHeight: z.number().nullish(),
})
type Images = ReadonlyMap<string, z.infer<typeof Image>>

/**
 * Videos API (view li-lms-2026-05), accessible with `r_ads`. Fields as read by public code, 2026-11-18; the
 * thumbnail is a URL or the URN of an image, the duration is in milliseconds.
 */
const Video = z.looseObject({
  thumbnail: text,
  aspectRatioWidth: z.number().nullish(),
  aspectRatioHeight: z.number().nullish(),
  duration: z.number().min(0).max(86_400_000).nullish().catch(null),
})
type Videos = ReadonlyMap<string, z.infer<typeof Video>>
/** Posts of a page of creatives, with their images and videos. */
type Published = { posts: Posts; images: Images; videos: Videos }

/** Errors of a consent without `r_organization_social` or of another organisation's page: the ad is stored without its content. */
const unreadable = new Set(['permission_missing', 'not_found', 'rejected'])

/** Image URLs expire after some weeks, so every sync reads them again. */
export async function readPublished(session: Session, references: readonly string[]): Promise<Published> {
  const isPost = (id: string) => /^urn:li:(share|ugcPost):\d+$/.test(id)
  const posts = await readBatch(session, '/posts', references.filter(isPost), Post, { viewContext: 'AUTHOR' })
  const all = [...posts.values()]
  const videos = await readBatch(
    session,
    '/videos',
    all.flatMap((post) => videoIn(post) ?? []),
    Video,
  )
  const covers = [...videos.values()].flatMap(({ thumbnail }) => imageUrn([thumbnail]) ?? [])
  const pictures = all.flatMap((post) => pictureIn(post) ?? [])
  return { posts, videos, images: await readBatch(session, '/images', [...pictures, ...covers], Image) }
}

const imageUrn = (ids: readonly (string | null | undefined)[]): string | null =>
  ids.find((id) => id != null && /^urn:li:image:[\w-]+$/.test(id)) ?? null

const videoIn = ({ content }: Post): string | null =>
  /^urn:li:video:[\w-]+$/.exec(content?.media?.id ?? '')?.[0] ?? null

/** The video's cover, or the first image. */
function coverOf(post: Post, { images, videos }: Published): string | null {
  const thumbnail = videos.get(videoIn(post) ?? '')?.thumbnail
  if (thumbnail != null && /^https?:/.test(thumbnail)) return thumbnail
  return images.get(imageUrn([thumbnail]) ?? pictureIn(post) ?? '')?.downloadUrl ?? null
}

/** The first image of a post. */
function pictureIn({ content }: Post): string | null {
  const [card] = readableItems(content?.carousel?.cards ?? [])
  return imageUrn([
    content?.media?.id,
    content?.article?.thumbnail,
    card?.media?.id,
    content?.multiImage?.images?.[0]?.id,
  ])
}

async function readBatch<T>(
  session: Session,
  path: string,
  references: readonly string[],
  schema: z.ZodType<T>,
  extraQuery: Record<string, string> = {},
): Promise<ReadonlyMap<string, T>> {
  const itemsById = new Map<string, T>()
  const ids = [...new Set(references)]
  if (ids.length === 0) return itemsById
  const Batch = z.looseObject({ results: z.record(z.string(), parsedOrSetAside('entity', schema)).nullish() })
  try {
    const { results } = await callRest(session, path, {
      query: { ids: listOf(ids), ...extraQuery },
      restliMethod: 'BATCH_GET',
      schema: Batch,
    })
    for (const [id, { item }] of Object.entries(results ?? {})) if (item !== null) itemsById.set(id, item)
  } catch (error) {
    const isRefused = error instanceof ProviderError && unreadable.has(error.reason)
    if (!isRefused || error.providerCode === 'api_version_ended') throw error
  }
  return itemsById
}

export const referenceOf = (creative: Creative): string[] =>
  creative.content?.reference == null ? [] : [creative.content.reference]

function formatOf({ content }: Post): string | null {
  if (content?.carousel != null) return 'carousel'
  if (content?.multiImage != null) return 'carousel'
  const media = content?.media?.id ?? null
  if (media?.startsWith('urn:li:video:')) return 'video'
  if (media?.startsWith('urn:li:document:')) return 'document'
  return media !== null || content?.article != null ? 'static' : 'text'
}

export function parseCreative(creative: Creative, published: Published): ShownCreative | null {
  const { content, leadgenCallToAction } = creative
  const inline = content?.textAd ?? content?.spotlight
  if (inline != null)
    return {
      thumbnailUrl: null,
      videoId: null,
      format: content?.textAd == null ? 'spotlight' : 'text',
      title: inline.headline,
      body: inline.description,
      ctaType: leadgenCallToAction?.label ?? null,
      destinationUrl: inline.landingPage,
    }
  const post = published.posts.get(content?.reference ?? '')
  if (post === undefined) return null
  const { article, media, carousel } = post.content ?? {}
  const [card] = readableItems(carousel?.cards ?? [])
  return {
    thumbnailUrl: coverOf(post, published),
    videoId: videoIn(post)?.split(':').at(-1) ?? null,
    format: formatOf(post),
    title: article?.title ?? media?.title ?? card?.media?.title ?? null,
    body: post.commentary,
    ctaType: leadgenCallToAction?.label ?? post.contentCallToActionLabel,
    destinationUrl: post.contentLandingPage ?? article?.source ?? card?.landingPage ?? null,
  }
}

export const toCreativeDetail = (
  creative: Creative,
  shown: ShownCreative,
  published: Published,
): AdCreativeDetail => ({
  ...detailOf(published.posts.get(creative.content?.reference ?? ''), published),
  type: 'ad_detail',
  kind: 'creative',
  externalId: creative.id,
  format: shown.format,
  title: shown.title,
  body: shown.body,
  ctaType: shown.ctaType,
  thumbnailUrl: shown.thumbnailUrl,
  videoId: shown.videoId,
  landingHost: hostOf(shown.destinationUrl),
  destinationUrl: shown.destinationUrl,
})

function detailOf(post: Post | undefined, { images, videos }: Published) {
  const video = post && videos.get(videoIn(post) ?? '')
  const size = video ?? (post && images.get(pictureIn(post) ?? ''))
  return {
    aspectRatioMilli: aspectRatioMilli(size?.aspectRatioWidth ?? null, size?.aspectRatioHeight ?? null),
    durationMs: video?.duration == null ? null : Math.round(video.duration),
    cardCount: post?.content?.carousel?.cards?.length ?? null,
  }
}
