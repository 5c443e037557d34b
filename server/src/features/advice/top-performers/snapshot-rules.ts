/** Snapshot links: the id with a signature, so that a link can be shown again without being stored. */
import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

const sign = (key: KeyObject, id: string): string =>
  createHmac('sha256', key).update(`snapshot ${id}`).digest('base64url')

export const shareToken = (key: KeyObject, id: string): string => `${id}.${sign(key, id)}`

/** The snapshot's id; undefined if the signature is invalid. */
export function readShareToken(key: KeyObject, token: string): string | undefined {
  const [, id, signature] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(key, id))) ? id : undefined
}

export const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')
