/**
 * Backups in an S3-compatible store. A backup is uploaded in parts, because a single request may carry 5 GB at most
 * and would have to be in memory. Source: docs.aws.amazon.com/AmazonS3/latest/API (CreateMultipartUpload, UploadPart,
 * CompleteMultipartUpload, ListObjectsV2), read 2026-11-19.
 */
import { open } from 'node:fs/promises'
import { type S3Location, urlOf } from '../../features/outgoing/data-exports/targets/s3.ts'
import { type S3Keys, signRequest } from '../../features/outgoing/data-exports/targets/s3-signature.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/** 10,000 parts are the most that an upload may have: 160 GB. */
const PART_BYTES = 16 * 1024 ** 2
const TIMEOUT_MS = 120_000
const TRIES = 3
const NONE = new Uint8Array()

type Request = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  path?: string
  query?: Record<string, string>
  body?: Uint8Array
}

export function s3Store(http: Outbound, location: S3Location, keys: S3Keys, clock: () => Date) {
  async function attempt({ method, path = '', query = {}, body = NONE }: Request) {
    // The list is of the bucket, whose prefix is a parameter.
    const url = urlOf(method === 'GET' ? { ...location, prefix: '' } : location, path)
    url.search = new URLSearchParams(query).toString()
    const isStart = method === 'POST' && 'uploads' in query
    const encryption = isStart ? location.server_side_encryption : null
    const headers: Record<string, string> =
      encryption === null ? {} : { 'x-amz-server-side-encryption': encryption }
    const signed = signRequest({ method, url, headers, body }, keys, {
      region: location.region,
      now: clock(),
    })
    const reply = await http.send({
      method,
      url: url.href,
      headers: signed,
      timeoutMs: TIMEOUT_MS,
      ...(body.length > 0 ? { body } : {}),
    })
    const text = new TextDecoder().decode(reply.bytes)
    // The completion of an upload can fail with status 200.
    const code = /<Error>.*?<Code>([A-Za-z]{1,64})<\/Code>/s.exec(text)?.[1]
    if (reply.status >= 300 || code !== undefined)
      throw new Error(`The backup store returned status ${reply.status}${code ? ` (${code})` : ''}`)
    return { text, headers: reply.headers }
  }
  async function send(request: Request) {
    for (let left = TRIES - 1; ; left--)
      try {
        return await attempt(request)
      } catch (error) {
        if (left === 0) throw error
      }
  }
  return {
    async put(name: string, file: string) {
      const { text } = await send({ method: 'POST', path: name, query: { uploads: '' } })
      const uploadId = textOf(text, 'UploadId')[0]
      if (uploadId === undefined) throw new Error('The backup store started no upload')
      try {
        const tags: string[] = []
        for await (const body of partsOf(file)) {
          const query = { partNumber: String(tags.length + 1), uploadId }
          const { headers } = await send({ method: 'PUT', path: name, query, body })
          tags.push(headers.etag ?? '')
        }
        const parts = tags.map(
          (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
        )
        const body = new TextEncoder().encode(
          `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
        )
        await send({ method: 'POST', path: name, query: { uploadId }, body })
      } catch (error) {
        // Parts of an unfinished upload are stored, and paid for, until it is aborted.
        await send({ method: 'DELETE', path: name, query: { uploadId } }).catch(() => {})
        throw error
      }
    },
    async list(): Promise<string[]> {
      const names: string[] = []
      let continuation: Record<string, string> = {}
      const folder = location.prefix === '' ? '' : `${location.prefix}/`
      for (;;) {
        const query = { 'list-type': '2', prefix: folder, ...continuation }
        const { text } = await send({ method: 'GET', query })
        names.push(...textOf(text, 'Key').map((key) => key.slice(folder.length)))
        const [token] = textOf(text, 'NextContinuationToken')
        if (token === undefined) return names
        continuation = { 'continuation-token': token }
      }
    },
    remove: async (name: string) => void (await send({ method: 'DELETE', path: name })),
  }
}

async function* partsOf(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file)
  try {
    for (;;) {
      const part = Buffer.alloc(PART_BYTES)
      let filled = 0
      while (filled < PART_BYTES) {
        const { bytesRead } = await handle.read(part, filled, PART_BYTES - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      if (filled > 0) yield part.subarray(0, filled)
      if (filled < PART_BYTES) return
    }
  } finally {
    await handle.close()
  }
}

/** Values of the XML elements of a name; names of backups and tokens contain no entities but &amp;. */
function textOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, value]) =>
    value!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
}
