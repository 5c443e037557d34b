/** Mail that a mail vendor's sandbox received. Only headers are parsed here; tests use a MIME parser. */
import { textArg } from './routes.ts'

export type ReceivedMail = {
  id: string
  /** The whole message in base64. */
  raw: string
  to: string[]
}

/** A header of a message (RFC 5322), unfolded; null if missing. */
export function headerOf(mime: string, name: string): string | null {
  const head = mime.split(/\r?\n\r?\n/, 1)[0]!.replace(/\r?\n[ \t]+/g, ' ')
  const line = head.split(/\r?\n/).find((headerLine) => headerLine.toLowerCase().startsWith(`${name}:`))
  return line === undefined ? null : line.slice(name.length + 1).trim()
}

export function recipientsOf(mime: string): string[] {
  return (headerOf(mime, 'to') ?? '')
    .split(',')
    .map((address) => /<([^<>]*)>/.exec(address)?.[1] ?? address.trim())
    .filter((address) => address !== '')
}

/** A mailbox of a vendor's sandbox, with the actions that all of them share. */
export class Mailbox {
  readonly sent: ReceivedMail[] = []
  isSuspended = false
  refusing: string | null = null
  readonly #name: string
  readonly #refusals: readonly string[]

  constructor(name: string, refusals: object) {
    this.#name = name
    this.#refusals = Object.keys(refusals)
  }

  reset(): void {
    this.refusing = null
    this.isSuspended = false
  }

  act(action: string, args: Record<string, unknown>): Record<string, unknown> {
    switch (action) {
      case 'sent_mail':
        return { sent: [...this.sent] }
      case 'suspend':
        this.isSuspended = true
        return {}
      case 'refuse': {
        const kind = textArg(args, 'with') ?? ''
        if (!this.#refusals.includes(kind))
          throw new Error(`The ${this.#name} sandbox has no refusal ${kind}`)
        this.refusing = kind
        return {}
      }
      default:
        throw new Error(`The ${this.#name} sandbox has no action ${action}`)
    }
  }
}
