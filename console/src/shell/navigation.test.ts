import { expect, it } from 'vitest'
import { foldedToFit } from './navigation.ts'

it.each([
  [1400, []],
  [1080, ['Creative', 'Plan']],
  [900, ['Creative', 'Plan', 'People']],
  [600, ['Creative', 'Plan', 'People']],
])('a screen of %i pixels folds %j', (height, folded) => {
  expect(foldedToFit(height)).toEqual(folded)
})

it('another group is folded in place of the one whose page is on screen', () => {
  expect(foldedToFit(1080, 'Plan')).toEqual(['Creative', 'People'])
})
