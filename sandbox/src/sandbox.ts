/**
 * A sandbox imitates one provider's public protocol behind its own base URL, so that everything
 * that speaks to a provider can be developed and tested without a real account. The HTTP shell
 * mounts each one at `/sandbox/<name>`; connectors reach it like the real thing.
 */
export type SandboxRequest = {
  method: string
  /** Below the sandbox's base URL, starting with "/". */
  path: string
  query: URLSearchParams
  /** The query as it was sent, for a protocol that reads it before it is decoded. */
  rawQuery: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
  /** The sandbox's own base URL, without a trailing slash. */
  baseUrl: string
}

export type SandboxReply = {
  status: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body: string | Uint8Array | Record<string, unknown> | unknown[]
  /** Answer only after this long. */
  delayMs?: number
  /** Instead of answering: say nothing until the caller gives up, or close the connection. */
  cut?: 'hang' | 'reset'
}

/** Faults on demand; `times` counts down, `match` is a path prefix. */
export type SandboxFault = {
  kind:
    | 'rate_limited'
    | 'server_error'
    | 'timeout'
    | 'truncated_json'
    | 'html_error'
    | 'reset'
    | 'lost_reply'
    | 'bad_record'
  match: string
  times: number
  retryAfterSeconds?: number
}

export type SandboxOptions = {
  /** Seeds every random choice; the same seed makes the same world. */
  seed: string
  now: () => Date
  /** Posts a provider webhook to the service. */
  sendWebhook: (webhook: {
    provider: string
    headers: Record<string, string>
    body: string
    /** What the provider puts behind the webhook's URL. */
    query?: Record<string, string>
  }) => Promise<void>
  /** Posts JSON to an address that the service named, such as a callback; the status of the answer. */
  postTo?: (url: string, json: string) => Promise<number>
  clientId: string
  clientSecret: string
  extra: Record<string, string>
}

export type Sandbox = {
  name: string
  handle(request: SandboxRequest): Promise<SandboxReply>
  fault(fault: SandboxFault): void
  /** Conversions received, oldest first. */
  exports(): Record<string, unknown>[]
  /** Status and budget writes received, oldest first. */
  writes(): Record<string, unknown>[]
  /** Provider-side happenings a test can ask for: revoke a grant, uninstall, restate spend, a new charge… */
  act(action: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
}
