import { expect, it } from 'vitest'
import { firstProfile } from './first-profile.ts'

const shop = { id: 'shop', is_demo: false, archived_at: null }
const demo = { id: 'demo', is_demo: true, archived_at: null }
const archived = { id: 'archived', is_demo: false, archived_at: '2026-01-01T00:00:00.000Z' }

it.each([
  [[], null, undefined],
  [[demo], null, 'demo'],
  [[shop, demo], null, 'demo'],
  [[shop, demo], 'shop', 'shop'],
  [[shop], 'unknown', 'shop'],
  [[archived, shop], 'archived', 'shop'],
])('chooses from %j with %j remembered', (profiles, remembered, expected) => {
  expect(firstProfile(profiles, remembered)?.id).toBe(expected)
})
