/**
 * Limits the bytes of responses that clients have not read yet. A client that pipelines requests and never reads
 * would make the process buffer every response; this limits them per address and in total, and closes connections
 * that do not read in time.
 */
import type { ServerResponse } from 'node:http'
import { clientKey } from './open-requests.ts'

export type UnsentLimits = { perAddressBytes: number; totalBytes: number; patienceMs: number }

const MB = 1024 * 1024
export const unsentLimits: UnsentLimits = {
  perAddressBytes: 16 * MB,
  totalBytes: 192 * MB,
  patienceMs: 30_000,
}
/** Minimum reading speed after the initial patience; slower clients are cut off. */
const MIN_BYTES_PER_MS = 16

/** The same for a streamed response, which is not buffered but occupies a connection to its source. */
const MIN_FILE_BYTES_PER_MS = 64
const LARGEST_FILE_BYTES = 100 * MB

export function cutSlowReader(response: ServerResponse, bytes: number | null): void {
  const fileMs = Math.ceil((bytes ?? LARGEST_FILE_BYTES) / MIN_FILE_BYTES_PER_MS)
  const timer = setTimeout(() => response.destroy(), unsentLimits.patienceMs + fileMs)
  timer.unref()
  whenClosed(response, () => clearTimeout(timer))
}

/** Runs at once if the client has already hung up: `close` is emitted only once. */
export function whenClosed(response: ServerResponse, run: () => void): void {
  if (response.closed) run()
  else response.once('close', run)
}

export type UnsentAnswers = {
  /**
   * False if too much is unsent; otherwise the bytes are counted until the response is written to the network or
   * cut off.
   */
  add(address: string, bytes: number, response: ServerResponse): boolean
  /** Total over all addresses. */
  totalBytes(): number
}

export function createUnsentAnswers(limits: UnsentLimits = unsentLimits): UnsentAnswers {
  const perAddress = new Map<string, number>()
  let total = 0
  const change = (sender: string, bytes: number) => {
    total += bytes
    const remaining = (perAddress.get(sender) ?? 0) + bytes
    if (remaining > 0) perAddress.set(sender, remaining)
    else perAddress.delete(sender)
  }
  return {
    totalBytes: () => total,
    add(address, bytes, response) {
      const sender = clientKey(address)
      const addressBytes = perAddress.get(sender) ?? 0
      // A single response is always allowed; its size is limited by the route.
      if (
        addressBytes > 0 &&
        (addressBytes + bytes > limits.perAddressBytes || total + bytes > limits.totalBytes)
      )
        return false
      // The client hung up before there was an answer: nothing is sent, and nothing would release the bytes.
      if (response.closed) return true
      change(sender, bytes)
      const timer = setTimeout(
        () => response.destroy(),
        limits.patienceMs + Math.ceil(bytes / MIN_BYTES_PER_MS),
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
