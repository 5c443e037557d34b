import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { readVisit, signVisit, VISIT_TOKEN_MS } from './visit-token.ts'

const id = '0b5ba9f2-6c5d-4f0e-9a51-2f5b8f8f1c01'
const session = '5a3e7c1d-0000-4abc-8def-111122223333'
const now = new Date('2026-05-01T12:00:00Z')
const holder = { profileId: 'p', userAgent: 'Browser/1', pepper: createSecretKey(Buffer.alloc(32, 7)), now }
const token = signVisit(`${id}.${session}.abc`, holder)!
const at = (ms: number) => ({ ...holder, now: new Date(now.getTime() + ms) })

it('contains visitor and session for two minutes; the visit is active when it is read', () => {
  const later = at(VISIT_TOKEN_MS - 1000)
  expect(readVisit(token, later)).toBe(`${id}.${session}.${later.now.getTime().toString(36)}`)
  expect(readVisit(token, at(VISIT_TOKEN_MS))).toBeUndefined()
})

it('works only for one profile, in one browser and unmodified', () => {
  expect(readVisit(token, { ...holder, profileId: 'q' })).toBeUndefined()
  expect(readVisit(token, { ...holder, userAgent: 'Browser/2' })).toBeUndefined()
  expect(readVisit(token, { ...holder, pepper: createSecretKey(Buffer.alloc(32, 8)) })).toBeUndefined()
  for (const index of [1, 10, 40, 60]) {
    const letter = token[index] === 'A' ? 'B' : 'A'
    expect(readVisit(token.slice(0, index) + letter + token.slice(index + 1), holder)).toBeUndefined()
  }
  for (const text of ['', 'x', token.slice(1), `${token}A`, '.'.repeat(71)])
    expect(readVisit(text, holder)).toBeUndefined()
})

it('signs visits only', () => {
  for (const text of ['', id, `${id}.${session}`, `${id}.${session}.abc.d`, `${id}.x.abc`, token])
    expect(signVisit(text, holder)).toBeUndefined()
})
