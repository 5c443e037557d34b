import { describe, expect, it } from 'vitest'
import { layerText, learnedText, missingText, peerGroupText } from './words.ts'

const layer = (percentile: number) =>
  ({
    layer: 'click_intent',
    percentile,
    sample_confidence: 'high',
  }) as const

describe('a reason as a sentence', () => {
  it.each([
    [0.92, 'Clicked more than 92% of similar ads'],
    [0.1, 'Clicked less than 90% of similar ads'],
    [0.55, 'Clicks: like most similar ads'],
    [0.6, 'Clicks: like most similar ads'],
    [0.4, 'Clicks: like most similar ads'],
    [1, 'Clicked more than 99% of similar ads'],
    [0, 'Clicked less than 99% of similar ads'],
  ])('of percentile %s is "%s"', (percentile, text) => {
    expect(layerText(layer(percentile))).toBe(text)
  })
})

it('a withheld value is shown with its reason, never as 0', () => {
  const text = (value: number) => `${value}!`
  expect(learnedText({ value: 0, status: 'withheld', reason: 'no_skill' }, text)).toBe(
    `Not evaluated: ${missingText('no_skill')}`,
  )
  expect(learnedText({ value: 0, status: 'served', reason: null }, text)).toBe('0!')
  expect(missingText('something_new')).toBe('something new')
})

it('a peer group is described by what its ads share', () => {
  expect(peerGroupText('social|video|sales|*|US|*')).toBe('Meta · video · sales · US')
})
