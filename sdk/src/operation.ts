/** What the client needs to know of an operation; its types are in the signature only. */
export type Operation<Input, Output> = {
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
