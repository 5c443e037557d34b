import { expect, it } from 'vitest'
import { ProviderError } from '../../../connectors/connector.ts'
import { quotaSeconds } from './rules.ts'

it('the retry time is from the header, from the message text, or an hour', () => {
  const now = new Date('2026-11-17T10:00:00Z')
  const secondsOf = (options: ConstructorParameters<typeof ProviderError>[2]) =>
    quotaSeconds(new ProviderError('rate_limited', 'x', options), now)
  expect(secondsOf({ retryAfterSeconds: 9 })).toBe(9)
  const message = 'User-rate limit exceeded. Retry after 2026-11-17T10:30:00.000Z (Mail sending)'
  expect(secondsOf({ providerMessage: message })).toBe(1800)
  expect(secondsOf({ providerMessage: 'Retry after 2026-11-17T09:00:00.000Z' })).toBe(1)
  expect(secondsOf({ providerMessage: 'Daily Limit Exceeded' })).toBe(3600)
})
