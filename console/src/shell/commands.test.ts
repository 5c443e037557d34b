import { expect, it } from 'vitest'
import { matching } from './commands.ts'

const commands = ['Platform comparison', 'Payments', 'Spring sale | Payments', 'Overview'].map((label) => ({
  label,
}))
const found = (text: string) => matching(commands, text).map(({ label }) => label)

it('puts what begins with the letters first, and finds words in any order', () => {
  expect(found('pay')).toEqual(['Payments', 'Spring sale | Payments'])
  expect(found('payments spring')).toEqual(['Spring sale | Payments'])
  expect(found('zzz')).toEqual([])
  expect(found('')).toHaveLength(4)
})
