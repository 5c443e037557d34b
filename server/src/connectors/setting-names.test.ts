import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { environment } from '../environment.ts'
import { editDistance, mistypedSettings, unknownProviders } from './setting-names.ts'

const settings = Object.keys(environment)

it.each([
  ['PROVIDER_META', 'PROVIDER_SOCIAL_ADS'],
  ['PROVIDER_FACEBOOK', 'PROVIDER_SOCIAL_ADS'],
  ['PROVIDER_GOOGLE_ADS', 'PROVIDER_ENGINE_ADS'],
  ['PROVIDER_STRIPE', 'PROVIDER_CARDPAY'],
  ['PROVIDER_SHOPIFY', 'PROVIDER_STOREFRONT'],
  ['PROVIDER_CARDPAI', 'PROVIDER_CARDPAY'],
])('%s is rejected with the closest name, %s', (name, meant) => {
  expect(() => readConfig({ [name]: '{}' })).toThrow(`${name} is not a setting: did you mean ${meant}?`)
})

it('a provider of the list is accepted', () => {
  expect(unknownProviders(['PROVIDER_CARDPAY', 'PATH'], settings)).toEqual([])
})

it('a name close to a setting is reported, others are not', () => {
  expect(
    mistypedSettings(['DATABASE_POLL', 'METRIC_SECRET', 'HOSTNAME', 'PATH', 'HOME', 'PORT'], settings),
  ).toEqual([
    'DATABASE_POLL is not a setting and is ignored: did you mean DATABASE_POOL?',
    'METRIC_SECRET is not a setting and is ignored: did you mean METRICS_SECRET?',
  ])
})

it('counts edits', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('same', 'same')).toBe(0)
})

it.each([
  [{ ROLE: 'web' }, 'ROLE must be one of'],
  [{ METRICS_SECRET: 'short' }, 'METRICS_SECRET must have at least 16 characters'],
  [{ DATABASE_URL: 'mysql://x', MASTER_KEYS: 'x' }, 'DATABASE_URL must be'],
  [{ PROVIDER_CARDPAY: '{}' }, 'PROVIDER_CARDPAY is not valid at client_id'],
])('an error about %j names the setting', (env, message) => {
  expect(() => readConfig(env as Record<string, string>)).toThrow(message)
})
