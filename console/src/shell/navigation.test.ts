import { expect, it } from 'vitest'
import { collapsedToFit } from './navigation.ts'

it.each([
  [1400, []],
  [1080, ['Creative', 'Plan']],
  [900, ['Creative', 'Plan', 'People']],
  [600, ['Creative', 'Plan', 'People']],
])('a screen of %i pixels collapses %j', (height, folded) => {
  expect(collapsedToFit(height)).toEqual(folded)
})

it('the group of the open page stays expanded; another is collapsed instead', () => {
  expect(collapsedToFit(1080, 'Plan')).toEqual(['Creative', 'People'])
})
