// Who is here and in which session: one small text that fits a cookie.
export type Visitor = { id: string; session: string; lastSeen: number }

const FORM = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9a-z]{1,10})$/

export function parseVisitor(text: string | undefined): Visitor | undefined {
  const parts = FORM.exec(text ?? '')
  return parts ? { id: parts[1]!, session: parts[2]!, lastSeen: Number.parseInt(parts[3]!, 36) } : undefined
}

export function formatVisitor(visitor: Visitor): string {
  return `${visitor.id}.${visitor.session}.${visitor.lastSeen.toString(36)}`
}

/** Either direction counts: a visit remembered from a clock that ran ahead must not last until then. */
export function visit(
  known: Visitor | undefined,
  at: number,
  sessionMinutes: number,
  makeId: () => string,
): { visitor: Visitor; started: boolean } {
  const started = !known || Math.abs(at - known.lastSeen) > sessionMinutes * 60_000
  return {
    visitor: {
      id: known ? known.id : makeId(),
      session: started ? makeId() : known!.session,
      lastSeen: started ? at : Math.max(at, known!.lastSeen),
    },
    started,
  }
}

export function sessionMinutesOf(value: unknown): number {
  const minutes = Number(value)
  return minutes >= 1 ? Math.min(minutes, 120) : 30
}

export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 15) | 64
  bytes[8] = (bytes[8]! & 63) | 128
  let id = ''
  bytes.forEach((byte, index) => {
    if (index > 3 && index < 11 && index % 2 === 0) id += '-'
    id += (byte + 256).toString(16).slice(1)
  })
  return id
}
