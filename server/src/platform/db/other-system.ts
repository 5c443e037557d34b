/** An error of a system next to the database; its cause has the details. */
export class OtherSystemError extends Error {
  override name = 'OtherSystemError'
}

/** A missing file or a mail server that refuses has the same codes (ENOENT, ECONNREFUSED) as a database that is away. */
export function isOfAnotherSystem(error: Error): boolean {
  const { syscall, path } = error as NodeJS.ErrnoException
  const isFile = path !== undefined && syscall !== undefined && syscall !== 'connect'
  return isFile || error instanceof OtherSystemError
}

/** From a node of Citus, or while a page is written, a full disk has the code of an internal error. */
export function isFullDisk(error: unknown, code: string): boolean {
  return error instanceof Error && /No space left on device/.test(error.message) && /^XX|^58/.test(code)
}
