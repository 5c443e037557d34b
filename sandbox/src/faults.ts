/** Fault injection, shared by all sandboxes: a fault affects the next responses whose path begins with its `match`. */
import type { SandboxFault, SandboxReply, SandboxRequest } from './sandbox.ts'

export type Faults = {
  add(fault: SandboxFault): void
  /** Removes all pending faults. */
  clear(): void
  /** Returns the response, after applying a pending fault. */
  apply(request: SandboxRequest, answer: () => SandboxReply | Promise<SandboxReply>): Promise<SandboxReply>
}

export function createFaults(): Faults {
  const waiting: SandboxFault[] = []
  return {
    add: (fault) => void waiting.push({ ...fault }),
    clear: () => void waiting.splice(0),
    async apply(request, answer) {
      const fault = waiting.find(({ match, times }) => times > 0 && request.path.startsWith(match))
      if (!fault) return answer()
      fault.times -= 1
      if (fault.times <= 0) waiting.splice(waiting.indexOf(fault), 1)
      return spoil(fault, answer)
    },
  }
}

async function spoil(
  fault: SandboxFault,
  answer: () => SandboxReply | Promise<SandboxReply>,
): Promise<SandboxReply> {
  switch (fault.kind) {
    case 'rate_limited':
      return {
        status: 429,
        headers: { 'retry-after': String(fault.retryAfterSeconds ?? 1) },
        body: { error: 'rate_limited' },
      }
    case 'server_error':
      return { status: 500, body: { error: 'server_error' } }
    case 'timeout':
      return { status: 504, body: '', cut: 'hang' }
    case 'reset':
      return { status: 502, body: '', cut: 'reset' }
    case 'lost_reply':
      // The provider processes the request, but the caller gets no response.
      return { ...(await answer()), cut: 'reset' }
    case 'html_error':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Sorry</body></html>',
      }
    case 'bad_record': {
      const reply = await answer()
      return typeof reply.body === 'string' || reply.body instanceof Uint8Array
        ? reply
        : { ...reply, body: withBadRecord(structuredClone(reply.body)) }
    }
    case 'truncated_json': {
      const { body } = await answer()
      const text =
        typeof body === 'string' || body instanceof Uint8Array ? '{"data":[{}]}' : JSON.stringify(body)
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: text.slice(0, Math.max(1, Math.floor(text.length * 0.6))),
      }
    }
  }
}

/** Corrupts the first record of the first list: it keeps its id and its shape, all other values are nonsense. */
function withBadRecord<T>(body: T): T {
  const list = firstList(body)
  if (list !== undefined) list[0] = spoiled(list[0])
  return body
}

function firstList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value) && value.length > 0 && isRecord(value[0]) && !isBatch(value[0])) return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const inner of Object.values(value)) {
    const list = firstList(inner)
    if (list !== undefined) return list
  }
  return undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A batch of rows of a stream. */
const isBatch = (value: Record<string, unknown>) => Array.isArray(value.results)

function spoiled(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === 'id' || name === '_id') return [name, inner]
      if (isRecord(inner)) return [name, spoiled(inner)]
      return [name, Array.isArray(inner) ? inner : { nonsense: true }]
    }),
  )
}
