/**
 * Decides what happens next. Statements wait here for their turn, one runs at a time, and timers fire in
 * between: so the seed alone determines how the transactions of all processes are interleaved.
 */
import type { Random } from '../oracle/random.ts'
import type { Owner, VirtualTime } from './virtual-time.ts'

export type Statement = {
  label: string
  owner: Owner
  /** Statements of one connection keep their order. */
  connection: object
  /** Settles when the database has responded, or the connection is lost. */
  start(): Promise<void>
  /** Delivers the result to the caller. */
  deliver(): void
  /** Whether it waits for a lock of another transaction. */
  isBlocked(): Promise<boolean>
}

export type Scheduler = ReturnType<typeof createScheduler>

/** Number of idle event loop turns after which all consequences of a result have happened. */
const QUIET_TURNS = 6
const LOOK_FOR_LOCKS_MS = 30

export function createScheduler(time: VirtualTime, random: Random) {
  const waiting: Statement[] = []
  const blocked: Statement[] = []
  const answers = new Map<Statement, Promise<void>>()
  let activity = 0

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

  async function quiet(): Promise<void> {
    for (let calm = 0, seen = activity; calm < QUIET_TURNS; calm++) {
      await turn()
      if (activity === seen) continue
      seen = activity
      calm = 0
    }
  }

  /** The first statement of each connection without a running one. */
  function ready(): Statement[] {
    const taken = new Set(blocked.map((statement) => statement.connection))
    return waiting.filter((statement) => {
      if (taken.has(statement.connection)) return false
      taken.add(statement.connection)
      return true
    })
  }

  async function run(statement: Statement): Promise<void> {
    waiting.splice(waiting.indexOf(statement), 1)
    const answered = statement.start()
    answers.set(statement, answered)
    if (await waitFor(statement, answered)) return finish(statement)
    blocked.push(statement)
  }

  /** False once it waits for another transaction. */
  async function waitFor(statement: Statement, answered: Promise<void>): Promise<boolean> {
    for (;;) {
      const delay = time.realDelay(LOOK_FOR_LOCKS_MS)
      const isAnswered = await Promise.race([answered.then(() => true), delay.promise.then(() => false)])
      delay.cancel()
      if (isAnswered) return true
      if (await statement.isBlocked()) return false
    }
  }

  function finish(statement: Statement): void {
    answers.delete(statement)
    activity++
    if (!statement.owner.dead) statement.deliver()
  }

  /** Delivers statements whose lock has become free. */
  async function unblock(): Promise<void> {
    for (const statement of [...blocked]) {
      if (!statement.owner.dead && (await statement.isBlocked())) continue
      blocked.splice(blocked.indexOf(statement), 1)
      await answers.get(statement)
      finish(statement)
      await quiet()
    }
  }

  return {
    noteActivity(): void {
      activity++
    },
    add(statement: Statement): void {
      activity++
      if (!statement.owner.dead) waiting.push(statement)
    },
    /** Removes the statements and timers of a killed process. */
    forget(owner: Owner): void {
      for (const list of [waiting, blocked])
        for (let at = list.length - 1; at >= 0; at--)
          if (list[at]!.owner === owner) {
            answers.delete(list[at]!)
            list.splice(at, 1)
          }
      time.forget(owner)
    },
    quiet,
    isIdle: () => waiting.length === 0 && blocked.length === 0,
    /** Runs one statement or one timer; `patience`, 0 to 1: how rarely time passes while statements wait. */
    async step(patience: number): Promise<string> {
      await quiet()
      if (blocked.length > 0) await unblock()
      const heads = ready()
      if (heads.length > 0 && (random.chance(patience) || time.nextDueMs() === undefined)) {
        const statement = random.pick(heads)
        await run(statement)
        return `${statement.owner.name} ${statement.label}`
      }
      if (time.nextDueMs() !== undefined) return `timer of ${time.fireNext()}`
      // All statements wait for locks: the database resolves the deadlock.
      if (blocked.length > 0) await Promise.race(blocked.map((statement) => answers.get(statement)!))
      return 'nothing'
    },
  }
}
