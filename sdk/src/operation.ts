/** Description of an operation for the client. Its types exist only in the signature. */
export type Operation<Input, Output> = {
  /** The `operationId` of the API reference, for cache keys and logs. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** Accepts an Idempotency-Key, so retries are safe. */
  readonly takesKey?: boolean
  /** The body is an event. One with money needs an idempotency key of the caller. */
  readonly isEvent?: boolean
  /** Name of the body member whose elements have idempotency keys. */
  readonly batch?: string
  readonly isFile?: boolean
  readonly types?: { input: Input; output: Output }
}

export type RawBody<Type extends string> = { type: Type; content: string | Uint8Array<ArrayBuffer> | Blob }

/** Input of an operation: `params`, `query`, `body`. */
export type InputOf<Called> = Called extends Operation<infer Input, unknown> ? Input : never
/** The `data` of an operation's response. */
export type DataOf<Called> = Called extends Operation<unknown, { data: infer Data }> ? Data : never
