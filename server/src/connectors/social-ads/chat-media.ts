/**
 * Media, templates and numbers of the chat app. Paths and parameters from the WhatsApp Business Platform references
 * "Media", "Business phone numbers", "Registration" and "Templates", and the Graph API's "Resumable Upload", read on
 * 2026-11-17. Calls that request a code or register a number are not retried.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { openReply } from '../../platform/outbound/open-reply.ts'
import type { BodyStream } from '../../platform/outbound/outbound.ts'
import {
  type ChatNumber,
  type MediaFile,
  mediaLimits,
  type NewTemplate,
  type ReceivedFile,
} from '../chat-media.ts'
import { ProviderError, type Session } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { versionedBase } from '../versions.ts'
import { callGraph, graphRefusal, readWholeList } from './calls.ts'

const Created = z.looseObject({ id })
const Success = z.looseObject({ success: z.boolean().nullish() })
const Media = z.looseObject({ url: z.url(), mime_type: text, file_size: z.number().nullish() })
const Handle = z.looseObject({ h: z.string().min(1) })
const Template = z.looseObject({ id, status: text, category: text })
const PhoneNumber = z.looseObject({
  id,
  display_phone_number: text,
  code_verification_status: text,
  status: text,
})

const path = (first: string, edge = '') => `/${encodeURIComponent(first)}${edge}`

export async function listChatNumbers(session: Session, accountId: string): Promise<ChatNumber[]> {
  const { http, app, token } = session
  const numbers = await readWholeList(http, app, token, path(accountId, '/phone_numbers'), PhoneNumber, {
    fields: 'id,display_phone_number,code_verification_status,status',
    limit: 100,
  })
  return numbers.map((number) => ({
    id: number.id,
    number: number.display_phone_number,
    verification: number.code_verification_status,
    status: number.status,
  }))
}

const postOnce = (session: Session, toPath: string, form: Record<string, string>) =>
  callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: toPath,
    form,
    schema: Success,
    once: true,
  })

export async function requestNumberCode(
  session: Session,
  numberId: string,
  delivery: { method: 'sms' | 'voice'; language: string },
): Promise<void> {
  const form = { code_method: delivery.method.toUpperCase(), language: delivery.language }
  await postOnce(session, path(numberId, '/request_code'), form)
}

export async function verifyNumberCode(session: Session, numberId: string, code: string): Promise<void> {
  await postOnce(session, path(numberId, '/verify_code'), { code })
}

export async function registerNumber(session: Session, numberId: string, pin: string): Promise<void> {
  await postOnce(session, path(numberId, '/register'), { messaging_product: 'whatsapp', pin })
}

export async function uploadMedia(session: Session, numberId: string, file: MediaFile): Promise<string> {
  const { id: mediaId } = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: path(numberId, '/media'),
    raw: toForm({ messaging_product: 'whatsapp', type: file.contentType }, file),
    schema: Created,
    once: true,
  })
  return mediaId
}

/** Escapes file names like browsers do (https://html.spec.whatwg.org, "multipart/form-data"). */
const escaped = (name: string) =>
  name.replace(/[\r\n"]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/** Streams a multipart form with fields and file. Its length is known before the file is read. */
function toForm(fields: Record<string, string>, file: MediaFile): { contentType: string; bytes: BodyStream } {
  const boundary = `whence-${randomUUID()}`
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`)
  const filePart = part(`name="file"; filename="${escaped(file.name)}"`)
  const head = Buffer.from(`${texts.join('')}${filePart}Content-Type: ${file.contentType}\r\n\r\n`)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* chunks() {
    yield head
    yield* file.chunks
    yield tail.subarray(0, tail.length - (file.extra?.() ?? 0))
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: { size: head.length + file.size + tail.length, chunks: chunks() },
  }
}

/** The account's token is sent only to hosts of the platform. */
export function isPlatformUrl(apiBaseUrl: string, url: string): boolean {
  const { origin, protocol, hostname } = new URL(url)
  if (origin === new URL(apiBaseUrl).origin) return true
  return protocol === 'https:' && /(^|\.)(fbsbx\.com|fbcdn\.net|whatsapp\.net)$/.test(hostname)
}

/** The first that is a media type: any other text is no valid header of our response. */
export function mediaType(...declared: (string | null | undefined)[]): string {
  const form = /^[\w.+-]{1,80}\/[\w.+-]{1,80}(?:; ?[\w-]{1,40}=[\w.,+-]{1,80})?$/
  return declared.find((type) => type != null && form.test(type)) ?? 'application/octet-stream'
}

/** Throws `not_found` if the platform no longer has the file, `asks_for_less` if it exceeds the largest limit. */
export async function readMedia(session: Session, mediaId: string): Promise<ReceivedFile> {
  const { http, app, token } = session
  const media = await callGraph(http, app, token.accessToken, { path: path(mediaId), schema: Media })
  if (!isPlatformUrl(app.apiBaseUrl, media.url))
    throw new ProviderError('malformed', 'The file is on a foreign host')
  if ((media.file_size ?? 0) > mediaLimits.document)
    throw new ProviderError('asks_for_less', 'The file is larger than 100 MB')
  const reply = await openReply(http, {
    method: 'GET',
    url: media.url,
    headers: { authorization: `Bearer ${token.accessToken}` },
    maxBytes: mediaLimits.document,
  })
  if (reply.status !== 200) reply.body.destroy()
  if (reply.status === 404 || reply.status === 410)
    throw new ProviderError('not_found', 'The platform no longer has the file')
  if (reply.status !== 200)
    throw new ProviderError('unavailable', `Downloading the file failed with status ${reply.status}`)
  const contentType = mediaType(media.mime_type, reply.headers['content-type'])
  // The response's own length: the connection detects a body that is shorter or longer.
  const length = reply.headers['content-length']
  return {
    size: length === undefined ? null : Number(length),
    chunks: reply.body,
    contentType,
    name: mediaId,
  }
}

/** Uploads a sample for the review of a template and returns the handle for the template's header. */
export async function uploadTemplateSample(session: Session, file: MediaFile): Promise<string> {
  const { http, app, token } = session
  const { id: uploadId } = await callGraph(http, app, token.accessToken, {
    method: 'POST',
    path: path(app.clientId, '/uploads'),
    query: { file_name: file.name, file_length: file.size, file_type: file.contentType },
    schema: Created,
  })
  const { h } = await callJson(http, {
    method: 'POST',
    url: `${versionedBase(app.apiBaseUrl, 'social_ads')}/${uploadId}`,
    headers: { authorization: `OAuth ${token.accessToken}`, file_offset: '0' },
    raw: { contentType: 'application/octet-stream', bytes: { size: file.size, chunks: file.chunks } },
    schema: Handle,
    once: true,
    refusal: graphRefusal,
  })
  return h
}

export async function createChatTemplate(
  session: Session,
  accountId: string,
  template: NewTemplate,
): Promise<{ id: string; status: string | null; category: string | null }> {
  const created = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: path(accountId, '/message_templates'),
    json: template,
    schema: Template,
    once: true,
  })
  return { id: created.id, status: created.status, category: created.category }
}
