import { expect, test } from 'vitest'
import { backoffMs, fitBatch, retryAfterMs, verdictOf } from '../src/delivery.ts'
import { clean, cleanObject, isAutomatedAgent } from '../src/text.ts'

test('each status has one verdict, and only 202 means stored', () => {
  const meanings = [202, 400, 422, 401, 403, 409, 410, 413, 429, 503].map(verdictOf)
  expect(meanings).toEqual([
    'stored',
    'drop',
    'drop',
    'stop',
    'stop',
    'stop',
    'stop',
    'split',
    'wait',
    'wait',
  ])
  for (const status of [0, 200, 204, 301, 404, 405, 500, 502, 504]) expect(verdictOf(status)).toBe('failed')
})

test('parses Retry-After as seconds or a date, up to a day', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(retryAfterMs('7', now)).toBe(7000)
  expect(retryAfterMs(new Date(now + 90_000).toUTCString(), now)).toBe(90_000)
  expect(retryAfterMs('99999999', now)).toBe(86_400_000)
  for (const header of [null, '', 'soon', '-4']) expect(retryAfterMs(header, now)).toBeUndefined()
})

test('the backoff doubles up to five minutes, with jitter of at most half', () => {
  expect([0, 1, 2, 3].map((n) => backoffMs(n, 1))).toEqual([1000, 2000, 4000, 8000])
  expect(backoffMs(2, 0)).toBe(2000)
  expect(backoffMs(500, 1)).toBe(300_000)
})

test('a batch has at least one and at most 50 events, and at most 60,000 bytes', () => {
  expect(fitBatch([])).toBe(0)
  expect(fitBatch(Array(80).fill(100))).toBe(50)
  expect(fitBatch(Array(80).fill(100), 7)).toBe(7)
  expect(fitBatch([29_000, 29_000, 29_000])).toBe(2)
  expect(fitBatch([70_000, 10])).toBe(1)
})

test('removes characters that the collector rejects, also if truncating splits one', () => {
  expect(clean(' a\0b\ud800c ', 10)).toBe('abc')
  expect(clean('ab😀', 3)).toBe('ab')
  expect(clean(undefined, 5)).toBe('')
})

test('properties become plain JSON without noise digits', () => {
  expect(cleanObject({ a: 0.1 + 0.2, b: ['x\0', { c: Number.NaN }], d: undefined })).toEqual({
    a: 0.3,
    b: ['x', { c: null }],
  })
  expect([cleanObject([1]), cleanObject('x'), cleanObject(null)]).toEqual([{}, {}, {}])
})

test('recognises crawlers, but not phones whose brand ends in "bot"', () => {
  expect(isAutomatedAgent('Mozilla/5.0 (compatible; Googlebot/2.1)')).toBe(true)
  expect(isAutomatedAgent('Mozilla/5.0 (X11) HeadlessChrome/150.0')).toBe(true)
  expect(isAutomatedAgent('facebookexternalhit/1.1')).toBe(true)
  expect(isAutomatedAgent('Mozilla/5.0 (Linux; Android 9; CUBOT X19) Chrome/120 Mobile Safari/537.36')).toBe(
    false,
  )
})
