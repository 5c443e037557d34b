import { expect, it } from 'vitest'
import { matching } from './commands.ts'

const commands = ['Platform comparison', 'Payments', 'Spring sale | Payments', 'Overview'].map((label) => ({
  label,
}))
const labelsFor = (text: string) => matching(commands, text).map(({ label }) => label)

it('ranks labels that start with the text first, and matches words in any order', () => {
  expect(labelsFor('pay')).toEqual(['Payments', 'Spring sale | Payments'])
  expect(labelsFor('payments spring')).toEqual(['Spring sale | Payments'])
  expect(labelsFor('zzz')).toEqual([])
  expect(labelsFor('')).toHaveLength(4)
})
