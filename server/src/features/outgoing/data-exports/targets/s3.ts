/** S3-compatible store. Files are small enough for a single request, so there is no multipart upload. */
import { type Outbound, OutboundError, type OutboundReply } from '../../../../platform/outbound/outbound.ts'
import { encodePath, type S3Keys, signRequest } from './s3-signature.ts'
import { type Target, TargetError } from './target.ts'

export type S3Location = {
  endpoint: string
  region: string
  bucket: string
  prefix: string
  path_style: boolean
  server_side_encryption: 'AES256' | 'aws:kms' | null
}

const TIMEOUT_MS = 30_000
const TRIES = 3
const NOT_FOUND = 404

export const urlOf = (location: S3Location, path: string): URL => new URL(addressOf(location, path))

/** Not a valid URL if the endpoint is an IP address and `path_style` is false. */
export function addressOf({ endpoint, bucket, prefix, path_style }: S3Location, path: string): string {
  const base = new URL(endpoint)
  const parts = [path_style ? bucket : '', prefix, path].filter((part) => part !== '').join('/')
  const host = path_style ? base.host : `${bucket}.${base.host}`
  return `${base.protocol}//${host}/${encodePath(parts)}`
}

/** `http` refuses private addresses; `clock` gives the time of each signature. */
export function s3Target(http: Outbound, location: S3Location, keys: S3Keys, clock: () => Date): Target {
  const exchange = async (
    method: 'PUT' | 'DELETE',
    path: string,
    body: Uint8Array,
  ): Promise<OutboundReply> => {
    const url = urlOf(location, path)
    const encryption = location.server_side_encryption
    const headers: Record<string, string> =
      method === 'PUT'
        ? {
            'content-type': 'application/octet-stream',
            ...(encryption === null ? {} : { 'x-amz-server-side-encryption': encryption }),
          }
        : {}
    const signed = signRequest({ method, url, headers, body }, keys, {
      region: location.region,
      now: clock(),
    })
    const request = { method, url: url.href, headers: signed, timeoutMs: TIMEOUT_MS }
    return http.send(method === 'PUT' ? { ...request, body } : request)
  }
  const send = async (method: 'PUT' | 'DELETE', path: string, body: Uint8Array = new Uint8Array()) => {
    let problem: TargetError | undefined
    for (let attempt = 0; attempt < TRIES; attempt++) {
      problem = await exchange(method, path, body).then((reply) => problemOf(method, reply), toTargetError)
      if (problem === undefined || !problem.isTemporary) break
    }
    if (problem !== undefined) throw problem
  }
  return {
    put: (path, bytes) => send('PUT', path, bytes),
    remove: (path) => send('DELETE', path),
  }
}

function toTargetError(cause: unknown): TargetError {
  if (!(cause instanceof OutboundError)) throw cause
  return new TargetError(`The store could not be reached: ${cause.message}.`, cause.kind !== 'blocked', {
    cause,
  })
}

/** Undefined if the request succeeded. */
function problemOf(method: string, { status, bytes }: OutboundReply): TargetError | undefined {
  if (status < 300) return undefined
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(new TextDecoder().decode(bytes))?.[1]
  if (method === 'DELETE' && status === NOT_FOUND && code !== 'NoSuchBucket') return undefined
  const isTemporary = status >= 500 || status === 429 || code === 'RequestTimeout' || code === 'SlowDown'
  return new TargetError(
    `The store returned status ${status}${code === undefined ? '' : ` (${code})`}.`,
    isTemporary,
  )
}
