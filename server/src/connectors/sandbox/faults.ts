/** Faults on demand, the same for every sandbox: each spoils the next answers whose path begins with its `match`. */
import type { SandboxFault, SandboxReply, SandboxRequest } from './sandbox.ts'

export type Faults = {
  add(fault: SandboxFault): void
  /** Nothing is spoiled any more. */
  clear(): void
  /** Gives the answer, or what a waiting fault makes of it. */
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
    case 'html_error':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Sorry</body></html>',
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
