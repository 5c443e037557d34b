/** What the client needs to know of an operation; its types are in the signature only. */
export type Operation<Input, Output> = {
  /** The `operationId` of the API reference, for cache keys and logs. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** Repeating it with the same Idempotency-Key is safe. */
  readonly takesKey?: boolean
  /** The member whose elements carry an idempotency key each. */
  readonly batch?: string
  readonly isFile?: boolean
  readonly types?: { input: Input; output: Output }
}

export type RawBody<Type extends string> = { type: Type; content: string | Uint8Array<ArrayBuffer> | Blob }

/** What an operation takes: `params`, `query`, `body`. */
export type InputOf<Called> = Called extends Operation<infer Input, unknown> ? Input : never
/** The `data` of an operation's answer. */
export type DataOf<Called> = Called extends Operation<unknown, { data: infer Data }> ? Data : never
