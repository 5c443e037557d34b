import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { createUnsentAnswers, cutSlowReader, whenClosed } from './unsent-answers.ts'

describe('unsent answers', () => {
  const limits = { perAddressBytes: 100, totalBytes: 150, patienceMs: 1000 }
  const response = () => Object.assign(new EventEmitter(), { destroy: vi.fn() }) as unknown as ServerResponse

  it('are limited per address and in total, and are released when sent or cut off', () => {
    const unsent = createUnsentAnswers(limits)
    const first = response()
    expect(unsent.add('192.0.2.1', 90, first)).toBe(true)
    expect(unsent.add('192.0.2.1', 20, response())).toBe(false)
    const second = response()
    expect(unsent.add('192.0.2.2', 50, second)).toBe(true)
    expect(unsent.add('192.0.2.2', 20, response())).toBe(false)
    first.emit('finish')
    first.emit('close')
    expect(unsent.add('192.0.2.1', 100, response())).toBe(true)
    second.emit('close')
    expect(unsent.add('192.0.2.2', 50, response())).toBe(true)
  })

  it('a response to a client that has hung up is not counted, and what waits for its end runs at once', () => {
    const unsent = createUnsentAnswers(limits)
    const gone = Object.assign(response(), { closed: true })
    expect(unsent.add('192.0.2.1', 90, gone)).toBe(true)
    expect(unsent.totalBytes()).toBe(0)
    const ended = vi.fn()
    whenClosed(gone, ended)
    expect(ended).toHaveBeenCalledOnce()
  })

  it('a single response is allowed whatever its size', () => {
    expect(createUnsentAnswers(limits).add('192.0.2.1', 5000, response())).toBe(true)
  })

  it('a client that reads a streamed file slower than half a megabit per second is cut off', () => {
    vi.useFakeTimers()
    const [slow, quick, unknown] = [response(), response(), response()]
    cutSlowReader(slow, 64_000)
    cutSlowReader(quick, 64_000)
    cutSlowReader(unknown, null)
    quick.emit('close')
    vi.advanceTimersByTime(30_999)
    expect(slow.destroy).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(slow.destroy).toHaveBeenCalledOnce()
    expect(unknown.destroy).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100 * 2 ** 14)
    vi.useRealTimers()
    expect(unknown.destroy).toHaveBeenCalledOnce()
    expect(quick.destroy).not.toHaveBeenCalled()
  })

  it('a client that does not read in time is cut off', () => {
    vi.useFakeTimers()
    const unsent = createUnsentAnswers(limits)
    const [slow, quick] = [response(), response()]
    unsent.add('192.0.2.1', 16, slow)
    unsent.add('192.0.2.2', 16, quick)
    quick.emit('finish')
    vi.advanceTimersByTime(1002)
    vi.useRealTimers()
    expect(slow.destroy).toHaveBeenCalledOnce()
    expect(quick.destroy).not.toHaveBeenCalled()
  })
})
