/**
 * The request and response interface that routes use; implemented by the framework (`server.ts`) and by
 * `direct.ts`.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'

export type Incoming = Pick<
  FastifyRequest,
  'id' | 'ip' | 'url' | 'method' | 'headers' | 'params' | 'query' | 'body' | 'caller' | 'fault'
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
