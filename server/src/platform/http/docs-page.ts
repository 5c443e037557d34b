/** Sends pages of /docs. Each is rendered and compressed on its first request and shared by all later ones. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from './html.ts'
import { type Packed, pack, sendPacked } from './packed-file.ts'

const pagePolicy =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; script-src 'self'; connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const packDocsPage = ({ html }: Html): Promise<Packed> => pack(`<!doctype html>${html}`)

export function sendDocsPage(request: FastifyRequest, reply: FastifyReply, page: Packed): FastifyReply {
  reply.type('text/html; charset=utf-8').header('content-security-policy', pagePolicy)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache')
  return sendPacked(request, reply, page)
}
