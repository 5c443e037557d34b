import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withTimeOf } from '../../server/src/platform/secrets/uuid5.ts'
import { formatVisitor, makeId, parseVisitor, sessionMinutesOf, visit } from '../src/visitor.ts'

const T = Date.UTC(2026, 2, 1, 12)
const MIN = 60_000

afterEach(() => vi.unstubAllGlobals())
beforeEach(() => vi.stubGlobal('TIMED_IDS', true))

test('ids start with their time, in the server’s format, and are unique', () => {
  const before = Date.now()
  const ids = Array.from({ length: 500 }, makeId)
  for (const id of ids) {
    const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    expect([time >= before, time <= Date.now()]).toEqual([true, true])
    expect(withTimeOf(id, `${'f'.repeat(8)}-${id.slice(9)}`)).toBe(`${id.slice(0, 13)}-8${id.slice(15)}`)
  }
  expect(new Set(ids).size).toBe(500)
})

test('without a time, ids are unique version 4 UUIDs', () => {
  vi.stubGlobal('TIMED_IDS', false)
  const ids = Array.from({ length: 500 }, makeId)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(500)
})

test('a session lasts through the limit of inactivity and ends after it', () => {
  const first = visit(undefined, T, 30, makeId)
  expect(first.started).toBe(true)
  const second = visit(first.visitor, T + 30 * MIN, 30, makeId)
  expect(second).toMatchObject({
    started: false,
    visitor: { session: first.visitor.session, lastSeen: T + 30 * MIN },
  })
  const third = visit(second.visitor, T + 60 * MIN + 1, 30, makeId)
  expect(third.started).toBe(true)
  expect(third.visitor.id).toBe(first.visitor.id)
  expect(third.visitor.session).not.toBe(first.visitor.session)
})

test('an event slightly older than the last one belongs to its session and does not shorten it', () => {
  const visitor = visit(undefined, T, 30, makeId).visitor
  expect(visit(visitor, T - MIN, 30, makeId)).toEqual({ started: false, visitor })
})

test('a last visit far in the future does not keep the session open', () => {
  const visitor = visit(undefined, T + 1e10, 30, makeId).visitor
  expect(visit(visitor, T, 30, makeId)).toMatchObject({
    started: true,
    visitor: { id: visitor.id, lastSeen: T },
  })
})

test('the cookie text survives a round trip, other text is not a visitor', () => {
  const { visitor } = visit(undefined, T, 30, makeId)
  expect(parseVisitor(formatVisitor(visitor))).toEqual(visitor)
  for (const text of [
    undefined,
    '',
    'x',
    `${visitor.id}.${visitor.session}`,
    `${formatVisitor(visitor)}.1`,
  ]) {
    expect(parseVisitor(text)).toBeUndefined()
  }
})

test('session minutes are 1 to 120, 30 by default', () => {
  expect(['5', '500', '0', '-3', 'x', undefined, 120].map(sessionMinutesOf)).toEqual([
    5, 120, 30, 30, 30, 30, 120,
  ])
})
