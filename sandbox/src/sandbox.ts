/**
 * A sandbox imitates one provider's public protocol behind its own base URL, so that connectors
 * can be developed and tested without a real account. The service mounts each sandbox at
 * `/sandbox/<name>`; connectors call it like the real provider.
 */
export type SandboxRequest = {
  method: string
  /** Below the sandbox's base URL, starting with "/". */
  path: string
  query: URLSearchParams
  /** The query as sent, for protocols that parse it before decoding. */
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
  /** Delay of the response. */
  delayMs?: number
  /** Instead of responding: hang until the caller times out, or close the connection. */
  cut?: 'hang' | 'reset'
}

/** An injected fault; `times` counts down, `match` is a path prefix. */
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
  /** Seeds every random choice; the same seed gives the same world. */
  seed: string
  now: () => Date
  /** Posts a provider webhook to the service. */
  sendWebhook: (webhook: {
    provider: string
    headers: Record<string, string>
    body: string
    /** Query parameters that the provider adds to the webhook's URL. */
    query?: Record<string, string>
  }) => Promise<void>
  /** Posts JSON to an address of the service, such as a callback; returns the response status. */
  postTo?: (url: string, json: string) => Promise<number>
  clientId: string
  clientSecret: string
  extra: Record<string, string>
}

export type Sandbox = {
  name: string
  /** Largest body of requests to paths of uploads; 4 MiB is the limit of all others. */
  uploadBytes?: number
  isUpload?(path: string): boolean
  handle(request: SandboxRequest): Promise<SandboxReply>
  fault(fault: SandboxFault): void
  /** Conversions received, oldest first. */
  exports(): Record<string, unknown>[]
  /** Status and budget writes received, oldest first. */
  writes(): Record<string, unknown>[]
  /** Runs a provider-side action for a test: revoke a grant, uninstall, restate spend, a new charge… */
  act(action: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
}
