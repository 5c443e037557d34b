/** Where files are written. A file that is read at its path is whole: a reader sees the old one or the new one. */
export type Target = {
  put(path: string, bytes: Uint8Array): Promise<void>
  /** Removing what is not there is no error. */
  remove(path: string): Promise<void>
}

/** A refusal that a person can act on; the message holds no secret. */
export class TargetError extends Error {
  readonly isTemporary: boolean
  constructor(message: string, isTemporary: boolean, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'TargetError'
    this.isTemporary = isTemporary
  }
}
