import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { providers } from './connector.ts'
import {
  apiVersions,
  versionDaysLeft,
  versionEndError,
  versionEndMessages,
  versionEndWarning,
  versionedBase,
} from './versions.ts'

const names = Object.keys(apiVersions) as (keyof typeof apiVersions)[]

it('every provider has a version with its source and the day on which it was read', () => {
  expect(names).toEqual(expect.arrayContaining([...providers]))
  for (const name of names) {
    const { source, readOn, aliveUntil } = apiVersions[name]
    expect(URL.canParse(source)).toBe(true)
    expect(readOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    if (aliveUntil !== null) expect(aliveUntil > readOn).toBe(true)
  }
})

it('a version past its end returns an error', () => {
  expect(versionEndError('storefront', '2027-06-30')).toBeNull()
  expect(versionEndError('storefront', '2027-07-01')).toContain(
    '2026-07 was expected to end after 2027-06-30',
  )
  expect(versionEndError('cardpay', '2099-01-01')).toBeNull()
})

it('warnings start 90 days before the end of a version', () => {
  expect(versionEndWarning('storefront', '2027-03-31')).toBeNull()
  expect(versionEndWarning('storefront', '2027-04-01')).toContain('is expected to end after 2027-06-30')
  expect(versionEndWarning('storefront', '2027-07-01')).toBeNull()
  expect(versionEndWarning('cardpay', '2099-01-01')).toBeNull()
})

it('the check warns about every version that ends or has ended, and about no other', () => {
  expect(versionEndMessages('2026-11-19')).toEqual([])
  expect(versionEndMessages('2027-07-01')).toEqual([
    expect.stringMatching(/^social_ads: API version v26.0 is expected to end after 2027-07-28/),
    expect.stringMatching(/^storefront: API version 2026-07 was expected to end after 2027-06-30/),
    expect.stringMatching(/^linkedin_ads: API version 202608 is expected to end/),
  ])
  expect(versionDaysLeft('storefront', '2027-07-01')).toBe(-1)
  expect(versionDaysLeft('cardpay', '2027-07-01')).toBeNull()
})

it('`npm run check` prints them and does not fail', () => {
  const tool = fileURLToPath(new URL('../../../tools/version-ends.mjs', import.meta.url))
  const printed = execFileSync(process.execPath, [tool, '2027-07-01'], { encoding: 'utf8' })
  expect(printed.match(/^warning: storefront: API version 2026-07/m)).not.toBeNull()
  expect(printed.match(/^warning: /gm)).toHaveLength(3)
})

it('the base URL contains the version once, even if the setting contains an old one', () => {
  const expected = 'https://graph.facebook.com/v26.0'
  for (const base of ['https://graph.facebook.com', 'https://graph.facebook.com/v23.0', `${expected}/`])
    expect(versionedBase(base, 'social_ads')).toBe(expected)
  expect(versionedBase('https://googleads.googleapis.com/v21', 'engine_ads')).toBe(
    'https://googleads.googleapis.com/v26',
  )
})

it.each(names)('docs/connectors.md shows the version of %s', (name) => {
  const page = readFileSync(new URL('../../../docs/connectors.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`))
  expect(section?.split('\n')[2]).toContain(apiVersions[name].version)
})
