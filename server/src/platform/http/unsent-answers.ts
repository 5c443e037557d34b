/**
 * Bytes of answers that clients have not read yet. A client that pipelines requests and never reads makes the process
 * keep every answer; this limits how much per address and in all, and closes connections that do not read in time.
 */
import type { ServerResponse } from 'node:http'
import { senderOf } from './open-requests.ts'

export type UnsentLimits = { perAddressBytes: number; totalBytes: number; patienceMs: number }

const MB = 1024 * 1024
export const unsentLimits: UnsentLimits = {
  perAddressBytes: 16 * MB,
  totalBytes: 192 * MB,
  patienceMs: 30_000,
}
/** Slower readers than this, beyond the patience, are cut off. */
const SLOWEST_BYTES_PER_MS = 16

/** The same for an answer that passes through. It is held nowhere, but keeps a connection to its source. */
const SLOWEST_FILE_BYTES_PER_MS = 64
const LARGEST_FILE_BYTES = 100 * MB

export function cutSlowReader(response: ServerResponse, bytes: number | null): void {
  const fileMs = Math.ceil((bytes ?? LARGEST_FILE_BYTES) / SLOWEST_FILE_BYTES_PER_MS)
  const timer = setTimeout(() => response.destroy(), unsentLimits.patienceMs + fileMs)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

export type UnsentAnswers = {
  /** False where too much is unsent; else the bytes count until the answer has been handed to the network or cut off. */
  add(address: string, bytes: number, response: ServerResponse): boolean
  /** Of all addresses together. */
  totalBytes(): number
}

export function createUnsentAnswers(limits: UnsentLimits = unsentLimits): UnsentAnswers {
  const perAddress = new Map<string, number>()
  let total = 0
  const change = (sender: string, bytes: number) => {
    total += bytes
    const left = (perAddress.get(sender) ?? 0) + bytes
    if (left > 0) perAddress.set(sender, left)
    else perAddress.delete(sender)
  }
  return {
    totalBytes: () => total,
    add(address, bytes, response) {
      const sender = senderOf(address)
      const own = perAddress.get(sender) ?? 0
      // A single answer always passes: its size is the route's own matter.
      if (own > 0 && (own + bytes > limits.perAddressBytes || total + bytes > limits.totalBytes)) return false
      change(sender, bytes)
      const timer = setTimeout(
        () => response.destroy(),
        limits.patienceMs + Math.ceil(bytes / SLOWEST_BYTES_PER_MS),
      )
      timer.unref()
      let isCounted = true
      const release = () => {
        if (!isCounted) return
        isCounted = false
        clearTimeout(timer)
        change(sender, -bytes)
      }
      response.once('finish', release).once('close', release)
      return true
    },
  }
}
