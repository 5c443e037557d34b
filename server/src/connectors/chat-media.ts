/** Media and numbers of the chat app. */
import type { BodyStream } from '../platform/outbound/outbound.ts'

/** A file that is streamed through and never stored. */
export type MediaFile = BodyStream & {
  contentType: string
  name: string
  /** After reading: bytes received beyond `size`. If there are any, the multipart form omits its final line break. */
  extra?: () => 0 | 2
}
/** `size` is null if the platform does not report it. */
export type ReceivedFile = Omit<MediaFile, 'size'> & { size: number | null }
export type MediaKind = 'image' | 'video' | 'audio' | 'document'

const MB = 1024 * 1024
/** The platform's size limits per kind of file. */
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
  /** Verification status, as the platform names it. */
  verification: string | null
  /** Sending status, as the platform names it. */
  status: string | null
}

export type NewTemplate = {
  name: string
  language: string
  category: string
  components: Record<string, unknown>[]
}
