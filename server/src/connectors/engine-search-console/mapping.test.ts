import { expect, test } from 'vitest'
import { ProviderError } from '../connector.ts'
import { engineRefusal } from '../engine-oauth.ts'
import { QueryReply, QueryRow, SiteList, toAccounts, toSearchQuery } from './mapping.ts'

test('an empty response is an empty list', () => {
  expect(toAccounts(SiteList.parse({}))).toEqual([])
  expect(QueryReply.parse({ responseAggregationType: 'byPage' }).rows).toBeUndefined()
})

test('an unverified site is not offered', () => {
  const siteEntry = [
    { siteUrl: 'sc-domain:a.example', permissionLevel: 'siteFullUser' },
    { siteUrl: 'https://b.example/', permissionLevel: 'siteUnverifiedUser' },
  ]
  expect(toAccounts(SiteList.parse({ siteEntry }))).toEqual([
    {
      id: 'sc-domain:a.example',
      name: 'a.example',
      kind: 'property',
      currency: null,
      timezone: 'America/Los_Angeles',
    },
  ])
})

test('a row keeps thousandths of its position, or null', () => {
  const row = QueryRow.parse({
    keys: ['oak', 'https://a.example/'],
    clicks: 3,
    impressions: 90,
    ctr: 0.1,
    position: 4.0567,
  })
  expect(toSearchQuery(row, '2026-03-01')).toEqual({
    type: 'search_query',
    day: '2026-03-01',
    query: 'oak',
    page: 'https://a.example/',
    clicks: 3,
    impressions: 90,
    positionMilli: 4057,
    aside: { ctr: 0.1 },
  })
  expect(toSearchQuery({ ...row, position: null, keys: ['oak'] }, '2026-03-01')).toMatchObject({
    positionMilli: null,
    page: null,
  })
  expect(() => toSearchQuery({ ...row, keys: [] }, '2026-03-01')).toThrow(ProviderError)
})

test.each([
  [403, { errors: [{ reason: 'quotaExceeded' }] }, 'rate_limited'],
  [403, { errors: [{ reason: 'forbidden' }], status: 'PERMISSION_DENIED' }, 'permission_missing'],
  [401, { status: 'UNAUTHENTICATED' }, 'invalid_grant'],
  [404, { status: 'NOT_FOUND' }, 'not_found'],
  [400, { status: 'INVALID_ARGUMENT' }, 'rejected'],
  [503, { status: 'UNAVAILABLE' }, 'unavailable'],
])('an error of %d with %o is reported as %s', (status, error, reason) => {
  const body = { error: { code: status, message: 'reported', ...error } }
  expect(engineRefusal({ status, body, headers: {} })?.reason).toBe(reason)
})
