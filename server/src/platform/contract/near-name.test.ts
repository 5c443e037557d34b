import { expect, it } from 'vitest'
import { nearestName } from './near-name.ts'

it('finds the closest name, or none if nothing is close', () => {
  const names = ['model', 'level', 'date_from', 'date_to', 'payment_received']
  expect(nearestName('modle', names)).toBe('model')
  expect(nearestName('Level', names)).toBe('level')
  expect(nearestName('date_form', names)).toBe('date_from')
  expect(nearestName('payment_recieved', names)).toBe('payment_received')
  expect(nearestName('payment', names)).toBeUndefined()
  expect(nearestName('colour', names)).toBeUndefined()
  expect(nearestName('x', [])).toBeUndefined()
})
