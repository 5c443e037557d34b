/**
 * Imitates media, numbers and new templates of the chat app: files live 30 days after an upload and 7 days after a
 * person sent them; a number takes 10 registrations in 72 hours (133016). Sources as in the connector, read 2026-11-17.
 */

import { z } from 'zod'
import { DAY_MS } from '../days.ts'
import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import type { GraphNode } from './graph.ts'
import { graphError, listReply, readForm, readJson } from './replies.ts'

/** 100 MB is the largest kind of file; the rest is the form around it. */
const uploadBytes = 100 * 1024 * 1024 + 64 * 1024
/** Files, and samples for templates; all other requests are small. */
const isUpload = (path: string): boolean => /^\/v\d+\.\d+\/(?:\d+\/media$|upload:)/.test(path)
export const uploads = { uploadBytes, isUpload }

const MAX_REGISTRATIONS = 10
const REGISTRATION_WINDOW_MS = 3 * DAY_MS

const Template = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.string().min(2),
  category: z.enum(['AUTHENTICATION', 'MARKETING', 'UTILITY']),
  components: z.array(z.looseObject({ type: z.enum(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']) })).min(1),
})

type Stored = { bytes: Uint8Array; type: string; expiresAt: number; size: number }

export function createChatMedia(
  options: SandboxOptions,
  number: { id: string; display_phone_number: string },
  addTemplate: (node: GraphNode) => void,
) {
  const files = new Map<string, Stored>()
  const handles = new Set<string>()
  const sessions = new Map<string, number>()
  let code: string | null = null
  let isVerified = false
  let registrations: number[] = []

  const nowMs = () => options.now().getTime()
  const store = (bytes: Uint8Array, type: string, days: number, size = bytes.length): string => {
    const id = seededDigits(16, options.seed, 'media', files.size)
    files.set(id, { bytes, type, size, expiresAt: nowMs() + days * DAY_MS })
    return id
  }
  const live = (id: string) => {
    const file = files.get(id)
    return file !== undefined && file.expiresAt > nowMs() ? file : undefined
  }
  const notFound = () =>
    graphError(400, 100, 'Unsupported get request. Object does not exist or cannot be loaded', 33)

  async function receive(request: SandboxRequest): Promise<SandboxReply> {
    try {
      const type = request.headers['content-type'] ?? ''
      const body = new Response(new Uint8Array(request.body), { headers: { 'content-type': type } })
      const form = await body.formData()
      const file = form.get('file')
      if (form.get('messaging_product') !== 'whatsapp' || file === null || typeof file === 'string')
        return graphError(400, 100, '(#100) The parameter messaging_product or file is required')
      return { status: 200, body: { id: store(new Uint8Array(await file.arrayBuffer()), file.type, 30) } }
    } catch {
      return graphError(400, 100, '(#100) The form cannot be read')
    }
  }

  function register(request: SandboxRequest): SandboxReply {
    const { messaging_product: product, pin } = readForm(request)
    registrations = [...registrations.filter((at) => at > nowMs() - REGISTRATION_WINDOW_MS), nowMs()]
    if (registrations.length > MAX_REGISTRATIONS)
      return graphError(400, 133016, '(#133016) Account register/deregister rate limit exceeded')
    if (product !== 'whatsapp' || !/^\d{6}$/.test(pin ?? ''))
      return graphError(400, 100, '(#100) The parameter pin must have 6 digits')
    if (!isVerified) return graphError(400, 133006, '(#133006) Phone number re-verification needed')
    return { status: 200, body: { success: true } }
  }

  return {
    act: (args: Record<string, unknown>): Record<string, unknown> => ({
      media_id: store(Buffer.from('a photo that somebody sent'), 'image/jpeg', 7, Number(args.size ?? 26)),
    }),
    code: () => code,
    setVerified(on: boolean) {
      isVerified = on
    },
    numbers: (request: SandboxRequest): SandboxReply =>
      listReply(request, [
        {
          ...number,
          verified_name: 'Harbor & Pine',
          code_verification_status: isVerified ? 'VERIFIED' : 'NOT_VERIFIED',
          status: isVerified ? 'CONNECTED' : 'PENDING',
        },
      ]),
    /** Null if the id is no media, number or upload. */
    answer(request: SandboxRequest, id: string, edge: string): SandboxReply | Promise<SandboxReply> | null {
      const isPost = request.method === 'POST'
      if (id === number.id && isPost) {
        if (edge === 'media') return receive(request)
        if (edge === 'register') return register(request)
        if (edge === 'request_code') {
          const { code_method: method, language } = readForm(request)
          if (!['SMS', 'VOICE'].includes(method ?? '') || !language)
            return graphError(400, 100, '(#100) code_method must be one of {SMS, VOICE}')
          code = seededDigits(6, options.seed, 'code', nowMs())
          return { status: 200, body: { success: true } }
        }
        if (edge === 'verify_code') {
          if (code === null || readForm(request).code !== code)
            return graphError(400, 136025, '(#136025) Verify code error: the code is wrong or expired')
          isVerified = true
          return { status: 200, body: { success: true } }
        }
      }
      if (id === options.clientId && edge === 'uploads' && isPost) {
        const uploadId = `upload:${seededDigits(12, options.seed, 'upload', sessions.size)}`
        sessions.set(uploadId, Number(request.query.get('file_length')))
        return { status: 200, body: { id: uploadId } }
      }
      if (id === 'media-file') return download(edge)
      if (!files.has(id) || edge !== '') return null
      const file = live(id)
      if (file === undefined) return notFound()
      return {
        status: 200,
        body: {
          id,
          url: `${request.baseUrl}/v26.0/media-file/${id}`,
          mime_type: file.type,
          file_size: file.size,
          messaging_product: 'whatsapp',
        },
      }
    },
    /** Receives the bytes of an upload session, whose id is not a path segment. */
    take(request: SandboxRequest, uploadId: string): SandboxReply | null {
      const length = sessions.get(uploadId)
      if (length === undefined) return null
      if (request.headers.file_offset !== '0' || request.body.length !== length)
        return graphError(400, 100, '(#100) The upload is not whole')
      const handle = `4::${seededDigits(20, options.seed, 'handle', handles.size)}`
      handles.add(handle)
      return { status: 200, body: { h: handle } }
    },
    createTemplate(request: SandboxRequest): SandboxReply {
      const template = Template.safeParse(readJson(request))
      if (!template.success) return graphError(400, 100, '(#100) Invalid parameter')
      const { name, language, category, components } = template.data
      for (const component of components) {
        const { type, format, example } = component as {
          type: string
          format?: string
          example?: { header_handle?: string[] }
        }
        const needsSample = type === 'HEADER' && ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(format ?? '')
        if (needsSample && !handles.has(example?.header_handle?.[0] ?? ''))
          return graphError(400, 100, '(#100) A header with media needs example.header_handle', 2388273)
      }
      const id = seededDigits(15, options.seed, name, language)
      addTemplate({ id, name, language, category, status: 'PENDING' })
      return { status: 200, body: { id, status: 'PENDING', category } }
    },
  }

  function download(id: string): SandboxReply {
    const file = live(id)
    return file === undefined
      ? { status: 404, body: 'Not found' }
      : { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
  }
}
