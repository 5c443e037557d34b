/**
 * The one file of a form, read as it comes. Its length follows from the request's, so that limits are checked and the
 * platform gets the length before the file has arrived; the file is therefore the last part.
 */
import { createHash } from 'node:crypto'
import { type MediaFile, mediaKindOf, mediaLimits } from '../../../connectors/chat-media.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import type { StreamedBody } from '../../../platform/http/route.ts'

export type Upload = MediaFile & {
  /** What turned out to be wrong with the form while the file was on its way. */
  problem(): ApiError | null
  /** Of its name, kind and bytes; what was not read yet is read and dropped. */
  digest(): Promise<string>
}

const MAX_HEAD_BYTES = 16 * 1024
const END_OF_HEADERS = '\r\n\r\n'
const wrong = (message: string, cause?: unknown) => new ApiError('invalid_content', message, { cause })

const opened = new WeakMap<StreamedBody, Promise<Upload>>()

/** Once per request, however often it is called: the beginning of a stream can be read once. */
export function openUpload(stream: StreamedBody | null): Promise<Upload> {
  if (stream === null) throw wrong('Send multipart/form-data with one file.')
  const upload = opened.get(stream) ?? readHead(stream)
  opened.set(stream, upload)
  return upload
}

async function readHead({ contentType, size, chunks }: StreamedBody): Promise<Upload> {
  const [, quoted, bare] =
    /^multipart\/form-data\s*;.*?boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw wrong('Send multipart/form-data with one file.')
  if (size === null) throw wrong('Send the form with its Content-Length.')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter lacks the line break before it.
  let held = Buffer.from('\r\n')
  let dropped = -held.length
  const drop = (bytes: number) => {
    held = held.subarray(bytes)
    dropped += bytes
  }
  const until = async (sign: Buffer | string): Promise<number> => {
    for (;;) {
      const at = held.indexOf(sign)
      if (at >= 0) return at
      if (dropped + held.length > MAX_HEAD_BYTES) throw wrong('The file must be the first large part.')
      const { value, done } = await chunks.next()
      if (done === true) throw wrong('The form must hold exactly one file.')
      held = Buffer.concat([held, value])
    }
  }
  for (;;) {
    drop((await until(delimiter)) + delimiter.length)
    const end = await until(END_OF_HEADERS)
    const headers = held.subarray(0, end).toString('utf8')
    drop(end + END_OF_HEADERS.length)
    const name = fileNameIn(headers)
    if (name === undefined) continue
    const type = /^content-type:[ \t]*([^\r\n]+)/im.exec(headers)?.[1]?.trim() ?? 'application/octet-stream'
    const file = { name: name || 'file', contentType: type, size: size - dropped - delimiter.length - 4 }
    checkSize(file)
    return { ...file, ...digested(file, fileBytes(file.size, delimiter, held, chunks)) }
  }
}

/** Quoted as browsers do, bare, or encoded (`filename*`); undefined where the part is no file. */
function fileNameIn(headers: string): string | undefined {
  const [disposition = ''] = /^content-disposition:[^\r\n]*/im.exec(headers) ?? []
  const given = disposition.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^\s;"]*))/g)
  const values = new Map(
    Array.from(given, ([, name, quoted, bare]) => [name!.toLowerCase(), quoted ?? bare!]),
  )
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(values.get('filename*') ?? '')?.[1]
  try {
    return encoded === undefined ? values.get('filename') : decodeURIComponent(encoded)
  } catch {
    return values.get('filename') ?? encoded
  }
}

/** The boundary of a form is another one each time, so that a form sent again is known by its file. */
function digested(file: { name: string; contentType: string }, parts: ReturnType<typeof fileBytes>) {
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
      return digest ?? Promise.reject(wrong('The form did not arrive whole.'))
    },
  }
}

function checkSize({ size, contentType }: { size: number; contentType: string }): void {
  if (size < 0) throw wrong('The form must hold exactly one file.')
  if (size === 0) throw wrong('The file is empty.')
  const kind = mediaKindOf(contentType)
  if (size > mediaLimits[kind])
    throw new ApiError(
      'payload_too_large',
      `This ${kind} may have at most ${mediaLimits[kind] / 2 ** 20} MB.`,
    )
}

/**
 * So many bytes, without a delimiter among them, and then the end of the form. Its last line break may be missing
 * (RFC 2046, 5.1.1): then the file has two bytes more.
 */
function fileBytes(size: number, delimiter: Buffer, held: Buffer, rest: AsyncIterator<Uint8Array>) {
  let problem: ApiError | null = null
  let extra: 0 | 2 = 0
  const bareEnd = Buffer.concat([delimiter, Buffer.from('--')])
  const end = Buffer.concat([bareEnd, Buffer.from('\r\n')])
  async function* read(): AsyncGenerator<Uint8Array> {
    let left = size
    let next: Uint8Array = held
    let before = Buffer.alloc(0)
    let tail = Buffer.alloc(0)
    for (;;) {
      const own = next.subarray(0, left)
      left -= own.length
      tail = Buffer.concat([tail, next.subarray(own.length)])
      const seen = Buffer.concat([before, own])
      if (seen.includes(delimiter) || tail.length > end.length) throw wrong('The file must be the last part.')
      before = Buffer.from(seen.subarray(Math.max(0, seen.length - delimiter.length + 1)))
      if (own.length > 0) yield own
      const { value, done } = await rest.next()
      if (done === true) break
      next = value
    }
    if (tail.equals(end)) return
    const last = tail.subarray(0, 2)
    const isBare = tail.subarray(2).equals(bareEnd) && !Buffer.concat([before, last]).includes(delimiter)
    if (!isBare) throw wrong('The file must be the last part of the form, which ends after it.')
    extra = 2
    yield last
  }
  async function* chunks() {
    try {
      yield* read()
    } catch (error) {
      problem = error instanceof ApiError ? error : wrong('The form did not arrive whole.', error)
      throw problem
    }
  }
  return { chunks: chunks(), problem: () => problem, extra: () => extra }
}
