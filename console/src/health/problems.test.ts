import type { Connection } from '@whence/sdk'
import { expect, it } from 'vitest'
import { problemsOf } from './problems.ts'

const connection = (
  status: Connection['status'],
  overrides: Partial<Pick<Connection, 'channel' | 'id' | 'provider_subtype' | 'consent_ends_at'>> & {
    state?: Connection['sync']['state']
  } = {},
): Connection => ({
  id: overrides.id ?? 'one',
  channel: overrides.channel ?? 'social_ads',
  status,
  display_name: 'Shop',
  external_id: '1',
  provider_subtype: overrides.provider_subtype ?? null,
  dataset_id: null,
  authorized_at: '',
  consent_ends_at: overrides.consent_ends_at ?? null,
  created_at: '',
  missing_abilities: [],
  sync: {
    state: overrides.state ?? 'idle',
    last_success_at: null,
    complete_until: null,
    last_attempt_at: null,
    last_error: null,
    next_run_at: null,
    progress: null,
    set_aside: { records: 0, last_reason: null },
  },
})
const idsOf = (...connections: Connection[]) =>
  problemsOf({ connections, tracker: undefined }).map(({ id }) => id)

it.each(['revoked', 'needs_action', 'reconnect_required', 'error'] as const)(
  'a connection that is %s is reported',
  (status) => {
    expect(idsOf(connection(status))).toEqual(['one'])
  },
)

it('a failed sync is reported, a working connection is not', () => {
  expect(idsOf(connection('connected', { state: 'failed' }))).toEqual(['one'])
  expect(idsOf(connection('connected'))).toEqual([])
})

it('a disconnected account is not reported if another account of its provider is connected', () => {
  expect(idsOf(connection('revoked'), connection('connected', { id: 'two' }))).toEqual([])
  expect(idsOf(connection('revoked'), connection('connected', { id: 'two', channel: 'cardpay' }))).toEqual([
    'one',
  ])
})

it('amounts without a rate are reported with their currencies', () => {
  const missing = [
    { currency: 'USD', day: '2026-05-01' },
    { currency: 'GBP', day: '2026-05-02' },
    { currency: 'USD', day: '2026-05-02' },
  ]
  const missingRates = (amounts: number) =>
    problemsOf({ connections: [], tracker: undefined, rates: { currency: 'EUR', amounts, missing } })
  expect(missingRates(3)[0]?.text).toBe(
    '3 amounts missing from the last 28 days: no exchange rate from GBP, USD to EUR.',
  )
  expect(missingRates(0)).toEqual([])
})

it('a silent tracker is reported, one that was never installed is not', () => {
  const tracker = { status: 'silent', events: 0 } as const
  expect(problemsOf({ connections: [], tracker }).map(({ id }) => id)).toEqual(['tracker'])
  expect(problemsOf({ connections: [], tracker: undefined })).toEqual([])
})

it('a broken mailbox is named by its vendor, and affects emails instead of data', () => {
  const mailbox = connection('needs_action', { channel: 'mailbox', provider_subtype: 'gmail' })
  expect(problemsOf({ connections: [mailbox], tracker: undefined }).map(({ text }) => text)).toEqual([
    'Gmail (Shop) stopped working: no emails are sent from it.',
  ])
})

it('a consent that ends within 30 days is reported with its day', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  expect(idsOf(connection('connected', { consent_ends_at: inDays(31) }))).toEqual([])
  expect(idsOf(connection('connected', { consent_ends_at: inDays(29) }))).toEqual(['one'])
})
