/** What the service uses of a request and its answer: the framework's own (`server.ts`), or those of `direct.ts`. */
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'

export type Incoming = Pick<
  FastifyRequest,
  'id' | 'ip' | 'url' | 'method' | 'headers' | 'params' | 'query' | 'body' | 'caller'
> & { routeOptions: { url?: string | undefined } }

export type Outgoing = {
  raw: ServerResponse
  header(name: string, value: string): unknown
  headers(values: Record<string, string | string[]>): unknown
  hasHeader(name: string): boolean
  removeHeader(name: string): unknown
  code(status: number): unknown
  type(contentType: string): unknown
  send(body?: unknown): unknown
}
