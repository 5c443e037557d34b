/** What an ad shows: the post that its creative refers to, or what the creative itself holds. */
import { z } from 'zod'
import { type AdCreativeDetail, hostOf } from '../ad-details.ts'
import { ProviderError, type Session } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { judged, readable } from '../set-aside.ts'
import { callRest } from './calls.ts'
import type { Creative, Shown } from './mapping.ts'
import { listOf } from './restli.ts'

const Media = z.looseObject({ id: text, title: text }).nullish()
const Card = z.looseObject({ landingPage: text, media: Media })
export const Post = z.looseObject({
  commentary: text,
  content: z
    .looseObject({
      article: z.looseObject({ title: text, source: text, thumbnail: text }).nullish(),
      media: Media,
      carousel: z.looseObject({ cards: z.array(judged('card', Card)).nullish() }).nullish(),
      multiImage: z.unknown().optional(),
    })
    .nullish(),
  contentLandingPage: text,
  contentCallToActionLabel: text,
})
export type Post = z.infer<typeof Post>
type Posts = ReadonlyMap<string, Post>

const Batch = z.looseObject({ results: z.record(z.string(), judged('post', Post)).nullish() })
/** The reason why a consent without `r_organization_social`, or a page of others, costs no ad its place. */
const unreadable = new Set(['permission_missing', 'not_found', 'rejected'])

export async function readPosts(session: Session, references: readonly string[]): Promise<Posts> {
  const posts = new Map<string, Post>()
  const ids = [...new Set(references)].filter((id) => /^urn:li:(share|ugcPost):\d+$/.test(id))
  if (ids.length === 0) return posts
  try {
    const { results } = await callRest(session, '/posts', {
      query: { ids: listOf(ids), viewContext: 'AUTHOR' },
      restliMethod: 'BATCH_GET',
      schema: Batch,
    })
    for (const [id, { item }] of Object.entries(results ?? {})) if (item !== null) posts.set(id, item)
  } catch (error) {
    const isRefused = error instanceof ProviderError && unreadable.has(error.reason)
    if (!isRefused || error.providerCode === 'api_version_ended') throw error
  }
  return posts
}

export const referenceOf = (creative: Creative): string[] =>
  creative.content?.reference == null ? [] : [creative.content.reference]

function formatOf({ content }: Post): string | null {
  if (content?.carousel != null) return 'carousel'
  if (content?.multiImage !== undefined) return 'carousel'
  const media = content?.media?.id ?? null
  if (media?.startsWith('urn:li:video:')) return 'video'
  if (media?.startsWith('urn:li:document:')) return 'document'
  return media !== null || content?.article != null ? 'static' : 'text'
}

export function shownOf(creative: Creative, posts: Posts): Shown | null {
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
  const post = posts.get(content?.reference ?? '')
  if (post === undefined) return null
  const { article, media, carousel } = post.content ?? {}
  const [card] = readable(carousel?.cards ?? [])
  const videoId = /^urn:li:video:([\w-]+)$/.exec(media?.id ?? '')?.[1] ?? null
  return {
    // Pictures are only named by an id; their addresses end after some weeks.
    thumbnailUrl: null,
    videoId,
    format: formatOf(post),
    title: article?.title ?? media?.title ?? card?.media?.title ?? null,
    body: post.commentary,
    ctaType: leadgenCallToAction?.label ?? post.contentCallToActionLabel,
    destinationUrl: post.contentLandingPage ?? article?.source ?? card?.landingPage ?? null,
  }
}

export const toCreativeDetail = (creative: Creative, shown: Shown, posts: Posts): AdCreativeDetail => ({
  type: 'ad_detail',
  kind: 'creative',
  externalId: creative.id,
  format: shown.format,
  title: shown.title,
  body: shown.body,
  ctaType: shown.ctaType,
  aspectRatioMilli: null,
  durationMs: null,
  cardCount: posts.get(creative.content?.reference ?? '')?.content?.carousel?.cards?.length ?? null,
  thumbnailUrl: null,
  videoId: shown.videoId,
  landingHost: hostOf(shown.destinationUrl),
  destinationUrl: shown.destinationUrl,
})
