/**
 * AWS Signature Version 4 of a request with a known body. Pure.
 * Source: docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, read 2026-11-18.
 */
import { createHash, createHmac } from 'node:crypto'

export type S3Keys = { accessKeyId: string; secretAccessKey: string }
type Unsigned = {
  method: string
  /** Already percent-encoded. */
  url: URL
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Percent-encodes everything except unreserved characters and `/`. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')
}

/** Returns the headers to send, including those of the signature. */
export function signRequest(
  request: Unsigned,
  keys: S3Keys,
  { region, now, service = 's3' }: { region: string; now: Date; service?: string },
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const contentHash = sha256(request.body)
  const signed: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value.trim()]),
    ),
    host: request.url.host,
    'x-amz-content-sha256': contentHash,
    'x-amz-date': time,
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    request.method,
    request.url.pathname,
    [...request.url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${signed[name]!}`),
    '',
    names.join(';'),
    contentHash,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signingKey = [region, service, 'aws4_request'].reduce<Buffer>(
    (key, part) => hmac(key, part),
    hmac(`AWS4${keys.secretAccessKey}`, day),
  )
  const signature = hmac(signingKey, toSign).toString('hex')
  const { host: _, ...sent } = signed
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}
