import { describe, expect, it } from 'vitest'
import {
  checkRecord,
  type LookupResult,
  requiredDnsRecords,
  statusAfter,
  type WantedRecord,
} from './rules.ts'

const sender = { domain: 'agency.example', selector: 's1', publicKey: 'AbC+/=', returnPathHost: undefined }
const [dkim, dmarc] = requiredDnsRecords(sender) as [WantedRecord, WantedRecord]
const [, returnPath, spf] = requiredDnsRecords({
  ...sender,
  returnPathHost: 'mail.whence.example',
}) as WantedRecord[]
const createdAt = new Date('2026-11-01T00:00:00Z')
const after = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000)

describe('a record', () => {
  it.each<[WantedRecord, LookupResult, string]>([
    [dkim, ['v=DKIM1; k=rsa; p=AbC+/='], 'found'],
    [dkim, ['google-site=1', 'v=DKIM1;k=rsa;p= AbC +/= ;'], 'found'],
    [dkim, ['v=DKIM1; k=rsa; p=other'], 'different'],
    // Keys are case-sensitive.
    [dkim, ['v=DKIM1; k=rsa; p=abc+/='], 'different'],
    [dkim, ['v=DKIM1; k=rsa; p='], 'different'],
    [dkim, ['something else'], 'missing'],
    [dkim, [], 'missing'],
    [dkim, null, 'unknown'],
    [returnPath!, ['Mail.Whence.example.'], 'found'],
    [returnPath!, ['mail.other.example'], 'different'],
    [spf!, ['v=spf1 include:mail.whence.example ~all'], 'found'],
    [spf!, ['v=spf1 include:evil-mail.whence.example ~all'], 'different'],
    [spf!, ['include:mail.whence.example'], 'missing'],
    [dmarc, ['v=DMARC1; p=reject'], 'found'],
    [dmarc, ['v=DMARC10; p=reject'], 'missing'],
  ])('%o with %j is %s', (expectedRecord, records, status) => {
    expect(checkRecord(expectedRecord, records).status).toBe(status)
  })
})

describe('the domain', () => {
  const records = (status: 'found' | 'missing' | 'unknown', recommended: 'found' | 'missing' = 'missing') => [
    { required: true, check: { status, found: [] } },
    { required: false, check: { status: recommended, found: [] } },
  ]
  it('is verified without the recommended record', () => {
    expect(statusAfter({ status: 'pending', createdAt }, records('found'), after(1))).toBe('verified')
    expect(statusAfter({ status: 'failed', createdAt }, records('found'), after(900))).toBe('verified')
  })
  it('waits 72 hours for its records, then fails', () => {
    expect(statusAfter({ status: 'pending', createdAt }, records('missing', 'found'), after(71.9))).toBe(
      'pending',
    )
    expect(statusAfter({ status: 'pending', createdAt }, records('missing', 'found'), after(72))).toBe(
      'failed',
    )
  })
  it('fails when a verified record is missing, but not when a lookup fails', () => {
    expect(statusAfter({ status: 'verified', createdAt }, records('missing'), after(1))).toBe('failed')
    expect(statusAfter({ status: 'verified', createdAt }, records('unknown'), after(900))).toBe('verified')
    expect(statusAfter({ status: 'pending', createdAt }, records('unknown'), after(900))).toBe(
      'temporary_failure',
    )
  })
})
