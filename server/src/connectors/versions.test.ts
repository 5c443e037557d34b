import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { providers } from './connector.ts'
import { apiVersions, endingSoon, endOf, versionedBase } from './versions.ts'

const today = new Date().toISOString().slice(0, 10)
const names = Object.keys(apiVersions) as (keyof typeof apiVersions)[]

it.each(names)('the version of %s is alive today; a failure here means: look it up and move on', (name) => {
  expect(endOf(name, today)).toBeNull()
})

it('every provider has one, with its source and the day it was looked up', () => {
  expect(names).toEqual(expect.arrayContaining([...providers]))
  for (const name of names) {
    const { source, lookedUp, aliveUntil } = apiVersions[name]
    expect(URL.canParse(source)).toBe(true)
    expect(lookedUp <= today).toBe(true)
    if (aliveUntil !== null) expect(aliveUntil > lookedUp).toBe(true)
  }
})

it('a version past its end says so', () => {
  expect(endOf('storefront', '2027-06-30')).toBeNull()
  expect(endOf('storefront', '2027-07-01')).toContain('2026-07 was expected to end after 2027-06-30')
  expect(endOf('cardpay', '2099-01-01')).toBeNull()
})

it('the end of a version is announced 90 days ahead, and not before', () => {
  expect(endingSoon('storefront', '2027-03-31')).toBeNull()
  expect(endingSoon('storefront', '2027-04-01')).toContain('is expected to end after 2027-06-30')
  expect(endingSoon('storefront', '2027-07-01')).toBeNull()
  expect(endingSoon('cardpay', '2099-01-01')).toBeNull()
})

it('the version is behind the base URL once, also where a setting carries an old one', () => {
  const wanted = 'https://graph.facebook.com/v26.0'
  for (const base of ['https://graph.facebook.com', 'https://graph.facebook.com/v23.0', `${wanted}/`])
    expect(versionedBase(base, 'social_ads')).toBe(wanted)
  expect(versionedBase('https://googleads.googleapis.com/v21', 'engine_ads')).toBe(
    'https://googleads.googleapis.com/v26',
  )
})

it.each(names)('docs/connectors.md shows the version of %s', (name) => {
  const page = readFileSync(new URL('../../../docs/connectors.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`))
  expect(section?.split('\n')[2]).toContain(apiVersions[name].version)
})
