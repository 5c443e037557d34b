/** An `Outbound` that can reach only the given sandboxes, in this process and without a socket. */

import type { Sandbox, SandboxOptions, SandboxRequest } from '@whence/sandbox/sandbox.ts'
import type { ProviderApp } from '../src/connectors/connector.ts'
import { type Outbound, OutboundError, type OutboundRequest } from '../src/platform/outbound/outbound.ts'

const origin = 'https://whence.test'

export function sandboxOutbound(...sandboxes: Sandbox[]): Outbound & { calls: string[] } {
  const calls: string[] = []
  return {
    calls,
    async send(request) {
      const url = new URL(request.url)
      const [, , name = '', ...rest] = url.pathname.split('/')
      const sandbox = sandboxes.find((candidate) => candidate.name === name)
      if (!sandbox || url.origin !== origin) throw new OutboundError('blocked', 'Not a sandbox')
      const path = `/${rest.join('/')}`
      calls.push(`${request.method} ${path}`)
      const reply = await sandbox.handle({
        method: request.method,
        path,
        query: url.searchParams,
        rawQuery: url.search.slice(1),
        headers: request.headers ?? {},
        body: await bytesOf(request),
        baseUrl: `${origin}/sandbox/${name}`,
      })
      if (reply.cut) throw new OutboundError(reply.cut === 'hang' ? 'timeout' : 'unreachable', 'Cut off')
      const { body } = reply
      const bytes = Buffer.from(
        typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      )
      return { status: reply.status, headers: reply.headers ?? {}, bytes }
    },
    async close() {},
  }
}

/** The bytes of a request body, also of a stream. */
export async function bytesOf({ body = '' }: OutboundRequest): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body)
  const parts: Uint8Array[] = []
  for await (const part of body.chunks) parts.push(part)
  return Buffer.concat(parts)
}

/** Wraps a sandbox and records its requests. */
export function recorded<S extends Sandbox>(original: S): { sandbox: S; requests: SandboxRequest[] } {
  const requests: SandboxRequest[] = []
  const sandbox = {
    ...original,
    handle: (request: SandboxRequest) => {
      requests.push(request)
      return original.handle(request)
    },
  }
  return { sandbox, requests }
}

export function sandboxApp(name: string, extra: Record<string, string> = {}): ProviderApp {
  const base = `${origin}/sandbox/${name}`
  return { clientId: 'client-1', clientSecret: 'secret-1', authorizeBaseUrl: base, apiBaseUrl: base, extra }
}

export type SentWebhook = Parameters<SandboxOptions['sendWebhook']>[0]

export function sandboxOptions(now: () => Date, extra: Record<string, string> = {}) {
  const sent: SentWebhook[] = []
  const options: SandboxOptions = {
    seed: 'whence',
    now,
    clientId: 'client-1',
    clientSecret: 'secret-1',
    extra,
    sendWebhook: async (webhook) => void sent.push(webhook),
  }
  return { options, sent }
}

export const inbound = (sent: SentWebhook) => ({
  rawBody: Buffer.from(sent.body),
  headers: sent.headers,
  query: sent.query ?? {},
})
