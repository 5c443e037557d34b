/** Media and numbers of the chat app. */
import type { BodyStream } from '../platform/outbound/outbound.ts'

/** A file on its way: it passes through and is held nowhere. */
export type MediaFile = BodyStream & {
  contentType: string
  name: string
  /** Known once all was read: how many bytes came beyond `size`. The form that is sent on ends without its line break then. */
  extra?: () => 0 | 2
}
/** `size` is null where the platform does not say it. */
export type ReceivedFile = Omit<MediaFile, 'size'> & { size: number | null }
export type MediaKind = 'image' | 'video' | 'audio' | 'document'

const MB = 1024 * 1024
/** Of the platform, per kind of file. */
export const mediaLimits: Record<MediaKind, number> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  document: 100 * MB,
}

export function mediaKindOf(contentType: string): MediaKind {
  const [kind] = contentType.toLowerCase().split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'document'
}

export type ChatNumber = {
  id: string
  number: string | null
  /** Whether the code was entered, in the platform's word. */
  verification: string | null
  /** Whether messages can be sent, in the platform's word. */
  status: string | null
}

export type NewTemplate = {
  name: string
  language: string
  category: string
  components: Record<string, unknown>[]
}
