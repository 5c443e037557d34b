/** Stores files atomically: a reader sees the old file or the new one, never a part. */
export type Target = {
  put(path: string, bytes: Uint8Array): Promise<void>
  /** Succeeds if the file does not exist. */
  remove(path: string): Promise<void>
}

/** An error that is shown to people; the message contains no secret. */
export class TargetError extends Error {
  readonly isTemporary: boolean
  constructor(message: string, isTemporary: boolean, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'TargetError'
    this.isTemporary = isTemporary
  }
}
