/** Mail as a mail vendor's sandbox received it. Only the headers are read here; tests give the whole to a MIME parser. */
export type ReceivedMail = {
  id: string
  /** The whole message in base64. */
  raw: string
  to: string[]
}

/** A header of a message (RFC 5322), unfolded; null where it is missing. */
export function headerOf(mime: string, name: string): string | null {
  const head = mime.split(/\r?\n\r?\n/, 1)[0]!.replace(/\r?\n[ \t]+/g, ' ')
  const line = head.split(/\r?\n/).find((one) => one.toLowerCase().startsWith(`${name}:`))
  return line === undefined ? null : line.slice(name.length + 1).trim()
}

export function recipientsOf(mime: string): string[] {
  return (headerOf(mime, 'to') ?? '')
    .split(',')
    .map((one) => /<([^<>]*)>/.exec(one)?.[1] ?? one.trim())
    .filter((one) => one !== '')
}
