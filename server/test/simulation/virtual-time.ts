/**
 * Replaces the clock, timers and randomness of the whole process: time passes only if the simulation advances it, and the
 * same seed gives the same ids, jitter and times. Only `setImmediate` stays real, because it orders work and
 * measures no time.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Random } from '../oracle/random.ts'

/** The simulated process whose code runs; it may be killed. */
export type Owner = { name: string; dead: boolean }
const owners = new AsyncLocalStorage<Owner>()

type Timer = { dueMs: number; order: number; everyMs: number | null; owner: Owner | undefined; run(): void }

export type VirtualTime = {
  /** Never goes back; timers follow it. */
  monotonicMs(): number
  wallMs(): number
  /** Sum of all changes of the wall clock in either direction, as a tolerance for intervals. */
  movedMs(): number
  /** Sets the wall clock, like an operator or a time server; timers are not affected. */
  setWall(byMs: number): void
  /** Time passes without running timers, like during a machine's sleep; due timers fire late. */
  sleep(ms: number): void
  as<T>(owner: Owner, work: () => T): T
  nextDueMs(): number | undefined
  /** Advances to the next timer and fires it; returns its owner's name. */
  fireNext(): string
  forget(owner: Owner): void
  /** A real delay, for the simulation itself. */
  realDelay(ms: number): { promise: Promise<void>; cancel(): void }
  /** Restores the real clock, timers and randomness. */
  restore(): void
}

const require = createRequire(import.meta.url)

/** Rounded to whole milliseconds, like `Date.now()`. */
const wholeMs = (ms: number | undefined) => Math.max(1, Math.ceil(Number(ms) || 1))

export function takeOverTime(startMs: number, random: Random, onActivity: () => void): VirtualTime {
  const RealDate = Date
  const realSetTimeout = setTimeout
  const realClearTimeout = clearTimeout
  const timers = new Set<Timer>()
  let monotonic = 0
  let wall = startMs
  let moved = 0
  let orders = 0

  function start(run: () => void, ms: number | undefined, everyMs: number | null): NodeJS.Timeout {
    const owner = owners.getStore()
    const timer: Timer = {
      dueMs: monotonic + wholeMs(ms),
      order: orders++,
      everyMs,
      owner,
      run,
    }
    if (owner?.dead !== true) timers.add(timer)
    onActivity()
    const handle = Object.assign(timer, {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      close: () => handle,
    })
    return handle as unknown as NodeJS.Timeout
  }
  const stop = (handle: unknown) => void timers.delete(handle as Timer)

  class VirtualDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(wall)
      else super(...(args as [number]))
    }
    static override now(): number {
      return wall
    }
  }

  const wait = (ms?: number, value?: unknown, options?: { signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      const signal = options?.signal
      const refuse = () => reject(signal?.reason ?? new Error('aborted'))
      if (signal?.aborted === true) return refuse()
      const timer = start(() => resolve(value), ms, null)
      signal?.addEventListener('abort', () => {
        stop(timer)
        refuse()
      })
    })

  const timersPromises = require('node:timers/promises') as Record<string, unknown>
  const nodeCrypto = require('node:crypto') as Record<string, unknown>
  const before = {
    globals: { Date, setTimeout, setInterval, clearTimeout, clearInterval },
    now: performance.now,
    wait: timersPromises.setTimeout,
    getRandomValues: globalThis.crypto.getRandomValues,
    crypto: { randomUUID: nodeCrypto.randomUUID, randomBytes: nodeCrypto.randomBytes },
    random: Math.random,
  }
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      start(() => run(...args), ms, null),
    setInterval: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      start(() => run(...args), ms, wholeMs(ms)),
    clearTimeout: stop,
    clearInterval: stop,
  })
  Object.defineProperty(performance, 'now', { value: () => monotonic, configurable: true })
  timersPromises.setTimeout = wait
  const bytes = (target: Uint8Array) => {
    for (let at = 0; at < target.length; at++) target[at] = random.int(0, 255)
    return target
  }
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: bytes, configurable: true })
  Object.assign(nodeCrypto, {
    randomUUID: () => {
      const hex = Buffer.from(bytes(new Uint8Array(16))).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    randomBytes: (count: number) => Buffer.from(bytes(new Uint8Array(count))),
  })
  Math.random = random.next
  syncBuiltinESMExports()

  function next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers)
      if (
        first === undefined ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.order < first.order)
      )
        first = timer
    return first
  }

  function pass(ms: number): void {
    monotonic += ms
    wall += ms
  }

  return {
    monotonicMs: () => monotonic,
    wallMs: () => wall,
    movedMs: () => moved,
    setWall(byMs) {
      wall += byMs
      moved += Math.abs(byMs)
    },
    sleep: (ms) => pass(wholeMs(ms)),
    as: (owner, work) => owners.run(owner, work),
    nextDueMs: () => next()?.dueMs,
    fireNext() {
      const timer = next()
      if (timer === undefined) return 'nothing'
      if (timer.dueMs > monotonic) pass(timer.dueMs - monotonic)
      if (timer.everyMs === null) timers.delete(timer)
      else timer.dueMs = monotonic + timer.everyMs
      onActivity()
      if (timer.owner === undefined) timer.run()
      else owners.run(timer.owner, timer.run)
      return timer.owner?.name ?? 'world'
    },
    forget(owner) {
      for (const timer of timers) if (timer.owner === owner) timers.delete(timer)
    },
    realDelay(ms) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = realSetTimeout(resolve, ms)
      return { promise, cancel: () => realClearTimeout(timer) }
    },
    restore() {
      Object.assign(globalThis, before.globals)
      Object.defineProperty(performance, 'now', { value: before.now, configurable: true })
      timersPromises.setTimeout = before.wait
      Object.defineProperty(globalThis.crypto, 'getRandomValues', {
        value: before.getRandomValues,
        configurable: true,
      })
      Object.assign(nodeCrypto, before.crypto)
      Math.random = before.random
      syncBuiltinESMExports()
    },
  }
}
