// The visitor and session ids, as one short text for a cookie.
export type Visitor = { id: string; session: string; lastSeen: number }

const FORMAT = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9a-z]{1,10})$/

export function parseVisitor(text: string | undefined): Visitor | undefined {
  const parts = FORMAT.exec(text || '')
  return parts ? { id: parts[1]!, session: parts[2]!, lastSeen: Number.parseInt(parts[3]!, 36) } : undefined
}

export function formatVisitor(visitor: Visitor): string {
  return `${visitor.id}.${visitor.session}.${visitor.lastSeen.toString(36)}`
}

/** Continues or starts a session. The gap counts in both directions, so that a session from a clock that was ahead does not last until then. */
export function visit(
  storedVisitor: Visitor | undefined,
  at: number,
  sessionMinutes: number,
  makeId: () => string,
): { visitor: Visitor; started: boolean } {
  const started = !storedVisitor || Math.abs(at - storedVisitor.lastSeen) > sessionMinutes * 60_000
  return {
    visitor: {
      id: storedVisitor ? storedVisitor.id : makeId(),
      session: started ? makeId() : storedVisitor!.session,
      lastSeen: started ? at : Math.max(at, storedVisitor!.lastSeen),
    },
    started,
  }
}

export function sessionMinutesOf(value: unknown): number {
  const minutes = Number(value)
  return minutes >= 1 ? Math.min(minutes, 120) : 30
}

/** The argument of the built script, which the server sets (`build.ts`). */
declare const TIMED_IDS: boolean

/**
 * Random, or a version 8 UUID that starts with its time and a mark. The server stores the records of such ids in
 * order of time (`withTimeOf`), so that a large profile's indexes grow at one end.
 */
export function makeId(): string {
  let id = ''
  crypto.getRandomValues(new Uint8Array(16)).forEach((byte) => {
    id += (byte + 256).toString(16).slice(1)
  })
  const time = TIMED_IDS ? (Date.now() + 2 ** 48).toString(16).slice(1) : id.slice(0, 12)
  return `${time + (TIMED_IDS ? 8 : 4)}adaa${id.slice(17)}`.replace(
    /(.{8})(.{4})(.{4})(.{4})/,
    '$1-$2-$3-$4-',
  )
}
