/**
 * Streams the single file of a multipart form. Its length is derived from the request's Content-Length, so limits are
 * checked and the platform receives the length before the file has arrived. The file must therefore be the last part.
 */
import { createHash } from 'node:crypto'
import { type MediaFile, mediaKindOf, mediaLimits } from '../../../connectors/chat-media.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import type { StreamedBody } from '../../../platform/http/route.ts'

export type Upload = MediaFile & {
  /** Error in the form that was detected while the file was streamed. */
  problem(): ApiError | null
  /** Hash of name, content type and bytes. Reads and discards the remaining bytes. */
  digest(): Promise<string>
}

const MAX_HEAD_BYTES = 16 * 1024
const END_OF_HEADERS = '\r\n\r\n'
const invalidForm = (message: string, cause?: unknown) => new ApiError('invalid_content', message, { cause })

const uploads = new WeakMap<StreamedBody, Promise<Upload>>()

/** Memoized per request, because the beginning of a stream can be read only once. */
export function openUpload(stream: StreamedBody | null): Promise<Upload> {
  if (stream === null) throw invalidForm('Send multipart/form-data with one file.')
  const upload = uploads.get(stream) ?? readHead(stream)
  uploads.set(stream, upload)
  return upload
}

async function readHead({ contentType, size, chunks }: StreamedBody): Promise<Upload> {
  const [, quoted, bare] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw invalidForm('Send multipart/form-data with one file.')
  if (size === null) throw invalidForm('Send the form with its Content-Length.')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter lacks the line break before it.
  let buffer = Buffer.from('\r\n')
  let consumed = -buffer.length
  const consume = (bytes: number) => {
    buffer = buffer.subarray(bytes)
    consumed += bytes
  }
  const readUntil = async (marker: Buffer | string): Promise<number> => {
    for (;;) {
      const at = buffer.indexOf(marker)
      if (at >= 0) return at
      if (consumed + buffer.length > MAX_HEAD_BYTES)
        throw invalidForm('The file must be the first large part.')
      const { value, done } = await chunks.next()
      if (done === true) throw invalidForm('The form must hold exactly one file.')
      buffer = Buffer.concat([buffer, value])
    }
  }
  for (;;) {
    consume((await readUntil(delimiter)) + delimiter.length)
    const end = await readUntil(END_OF_HEADERS)
    const headers = buffer.subarray(0, end).toString('utf8')
    consume(end + END_OF_HEADERS.length)
    const name = fileNameIn(headers)
    if (name === undefined) continue
    const type = /^content-type:[ \t]*([^\r\n]+)/im.exec(headers)?.[1]?.trim() ?? 'application/octet-stream'
    const file = { name: name || 'file', contentType: type, size: size - consumed - delimiter.length - 4 }
    checkSize(file)
    return { ...file, ...withDigest(file, fileBytes(file.size, delimiter, buffer, chunks)) }
  }
}

/** The file name, quoted as browsers send it, unquoted or encoded (`filename*`); undefined if the part is not a file. */
function fileNameIn(headers: string): string | undefined {
  const [disposition = ''] = /^content-disposition:[^\r\n]*/im.exec(headers) ?? []
  const parameters = disposition.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))/g)
  const values = new Map(
    Array.from(parameters, ([, name, quoted, bare]) => [name!.toLowerCase(), quoted ?? bare!]),
  )
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(values.get('filename*') ?? '')?.[1]
  try {
    return encoded === undefined ? values.get('filename') : decodeURIComponent(encoded)
  } catch {
    return values.get('filename') ?? encoded
  }
}

/** The digest covers the file only, because a retried form has another boundary. */
function withDigest(file: { name: string; contentType: string }, parts: ReturnType<typeof fileBytes>) {
  const hash = createHash('sha256').update(JSON.stringify([file.name, file.contentType]))
  let digest: string | null = null
  async function* read() {
    for await (const part of parts.chunks) {
      hash.update(part)
      yield part
    }
    digest = hash.digest('hex')
  }
  const chunks = read()
  return {
    chunks,
    problem: parts.problem,
    extra: parts.extra,
    digest: async () => {
      for await (const _ of chunks);
      return digest ?? Promise.reject(invalidForm('The form is incomplete.'))
    },
  }
}

function checkSize({ size, contentType }: { size: number; contentType: string }): void {
  if (size < 0) throw invalidForm('The form must hold exactly one file.')
  if (size === 0) throw invalidForm('The file is empty.')
  const kind = mediaKindOf(contentType)
  if (size > mediaLimits[kind])
    throw new ApiError(
      'payload_too_large',
      `This ${kind} may have at most ${mediaLimits[kind] / 2 ** 20} MB.`,
    )
}

/**
 * Reads `size` bytes, which must not contain the delimiter, and then the end of the form. If the form's last line break is
 * missing (RFC 2046, 5.1.1), the file is two bytes longer.
 */
function fileBytes(size: number, delimiter: Buffer, buffered: Buffer, source: AsyncIterator<Uint8Array>) {
  let problem: ApiError | null = null
  let extra: 0 | 2 = 0
  const bareEnd = Buffer.concat([delimiter, Buffer.from('--')])
  const end = Buffer.concat([bareEnd, Buffer.from('\r\n')])
  async function* read(): AsyncGenerator<Uint8Array> {
    let remaining = size
    let chunk: Uint8Array = buffered
    let overlap = Buffer.alloc(0)
    let tail = Buffer.alloc(0)
    for (;;) {
      const filePart = chunk.subarray(0, remaining)
      remaining -= filePart.length
      tail = Buffer.concat([tail, chunk.subarray(filePart.length)])
      const searched = Buffer.concat([overlap, filePart])
      if (searched.includes(delimiter) || tail.length > end.length)
        throw invalidForm('The file must be the last part.')
      overlap = Buffer.from(searched.subarray(Math.max(0, searched.length - delimiter.length + 1)))
      if (filePart.length > 0) yield filePart
      const { value, done } = await source.next()
      if (done === true) break
      chunk = value
    }
    if (tail.equals(end)) return
    const last = tail.subarray(0, 2)
    const isBare = tail.subarray(2).equals(bareEnd) && !Buffer.concat([overlap, last]).includes(delimiter)
    if (!isBare) throw invalidForm('The file must be the last part of the form, which ends after it.')
    extra = 2
    yield last
  }
  async function* chunks() {
    try {
      yield* read()
    } catch (error) {
      problem = error instanceof ApiError ? error : invalidForm('The form is incomplete.', error)
      throw problem
    }
  }
  return { chunks: chunks(), problem: () => problem, extra: () => extra }
}
