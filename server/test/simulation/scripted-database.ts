/**
 * The driver's own client on the real database, with every statement controlled by the scheduler and connections that
 * are lost at seeded points: before a statement reaches the database, or after it was executed.
 */
import pg from 'pg'
import { LATE } from '../../src/platform/db/statement.ts'
import type { Random } from '../oracle/random.ts'
import type { Scheduler } from './scheduler.ts'
import type { Owner, VirtualTime } from './virtual-time.ts'

export type Faults = {
  /** Probability of losing the connection, of a statement and of a commit. */
  lost: number
  lostAtCommit: number
  /** Probability of a slow response. */
  slow: number
}
export const noFaults: Faults = { lost: 0, lostAtCommit: 0, slow: 0 }

export type Wiring = {
  owner: Owner
  scheduler: Scheduler
  time: VirtualTime
  random: Random
  faults: () => Faults
  /** A connection that is not simulated. */
  admin: pg.Client
  note: (what: string) => void
  violated: (what: string) => void
}

type Done = (error: Error | null, result?: unknown) => void
type Submitted = { text?: string; callback?: Done; limitMs?: number | undefined; submit?: unknown }

const lostConnection = () => new Error('Connection terminated unexpectedly')

export function scriptedClient(wiring: Wiring): typeof pg.Client {
  const { owner, scheduler, time, random, admin } = wiring

  return class ScriptedClient extends pg.Client {
    #lost = false
    #isLate = false
    #pid: number | null = null

    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads; what is called is what the pool calls.
    override connect(done?: any): any {
      let failure: Error | null = null
      scheduler.add({
        label: 'connect',
        owner,
        connection: this,
        isBlocked: async () => false,
        start: () =>
          new Promise((resolve) => {
            if (random.chance(wiring.faults().lost)) {
              failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
              return resolve()
            }
            super.connect((error: Error | null) => {
              failure = error ?? null
              this.#pid = (this as unknown as { processID: number }).processID
              if (failure === null) {
                clients.get(owner)?.add(this)
                this.once('end', () => {
                  this.#lost = true
                  clients.get(owner)?.delete(this)
                })
              }
              resolve()
            })
          }),
        deliver: () => done(failure),
      })
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads; what is called is what the service calls.
    override query(submitted: any): any {
      const statement = submitted as Submitted
      const isStatement = typeof statement.submit === 'function'
      const { limitMs } = statement
      statement.limitMs = undefined
      if (isStatement) return this.#ask(statement, statement.callback!.bind(statement), limitMs)
      return new Promise((resolve, reject) => {
        const done: Done = (error, result) => (error ? reject(error) : resolve(result))
        this.#ask(statement, done, limitMs)
      })
    }

    #ask(statement: Submitted, done: Done, limitMs: number | undefined): unknown {
      let outcome: Parameters<Done> | undefined
      let answered = false
      const answer: Done = (error, result) => {
        if (answered) return
        answered = true
        clearTimeout(late)
        done(error, result)
      }
      // The driver would also destroy the socket; here the service alone must never use the connection again.
      if (this.#isLate) wiring.violated('a connection was used again after a late response')
      const late =
        limitMs === undefined
          ? undefined
          : setTimeout(() => {
              this.#isLate = true
              answer(new Error(LATE))
            }, limitMs)
      const label = (statement.text ?? '').trim().replace(/\s+/g, ' ').slice(0, 60).toLowerCase()
      scheduler.add({
        label,
        owner,
        connection: this,
        isBlocked: () => this.#isBlocked(),
        start: async () => {
          outcome = await this.#execute(statement, label)
        },
        deliver: () => {
          const [error, result] = outcome!
          if (!random.chance(wiring.faults().slow)) return answer(error, result)
          const ms = random.int(50, 20_000)
          wiring.note(`answer after ${ms} ms: ${label}`)
          time.as(owner, () => setTimeout(() => answer(error, result), ms))
        },
      })
      return statement
    }

    async #execute(statement: Submitted, label: string): Promise<Parameters<Done>> {
      if (this.#lost) return [lostConnection()]
      const { lost, lostAtCommit } = wiring.faults()
      const loses = random.chance(label === 'commit' ? lostAtCommit : lost)
      const before = random.chance(0.5)
      if (loses && before) {
        wiring.note(`connection lost before: ${label}`)
        await this.lose()
        return [lostConnection()]
      }
      const outcome = await new Promise<Parameters<Done>>((resolve) => {
        const done: Done = (error, result) => resolve([error, result])
        if (typeof statement.submit === 'function') {
          statement.callback = done
          super.query(statement as unknown as pg.Submittable)
        } else
          super.query(statement as pg.QueryConfig).then(
            (result) => done(null, result),
            (error: Error) => done(error),
          )
      })
      if (!loses) return outcome
      wiring.note(`connection lost after: ${label}`)
      await this.lose()
      return [lostConnection()]
    }

    async #isBlocked(): Promise<boolean> {
      if (this.#pid === null || this.#lost) return false
      const { rows } = await admin.query<{ blocked: boolean }>(
        'select cardinality(pg_blocking_pids($1)) > 0 as blocked',
        [this.#pid],
      )
      return rows[0]!.blocked
    }

    /** Terminates the server's backend too, so that the connection's locks are released when this settles. */
    async lose(): Promise<void> {
      if (this.#lost) return
      this.#lost = true
      clients.get(owner)?.delete(this)
      const ended = new Promise<void>((resolve) => this.once('end', () => resolve()))
      const { stream } = (this as unknown as { connection: { stream: { destroy(): void } } }).connection
      stream.destroy()
      await ended
      if (this.#pid !== null) await terminate(admin, this.#pid)
    }
  }
}

async function terminate(admin: pg.Client, pid: number): Promise<void> {
  await admin.query('select pg_terminate_backend($1, 5000)', [pid])
}

const clients = new Map<Owner, Set<{ lose(): Promise<void> }>>()

export function openConnections(owner: Owner): void {
  clients.set(owner, new Set())
}

/** Like a killed process: the server rolls back open transactions. */
export async function loseConnections(owner: Owner): Promise<void> {
  for (const client of clients.get(owner) ?? []) await client.lose()
  clients.delete(owner)
}
