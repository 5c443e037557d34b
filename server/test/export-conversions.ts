/** Conversions as connectors receive them after the gate. */
import type { ClearedConversion, ExportConversion, ExportPerson } from '../src/connectors/connector.ts'

export const noPerson: ExportPerson = {
  emails: [],
  phones: [],
  externalIds: [],
  leadId: null,
  address: null,
  browserId: null,
  ip: null,
  userAgent: null,
  country: null,
}

export const makeConversion = (changes: Partial<ExportConversion> = {}): ClearedConversion => {
  const conversion: ExportConversion = {
    eventId: 'e1',
    dedupId: changes.eventId ?? 'e1',
    eventName: 'Purchase',
    occurredAt: '2026-03-01T10:00:00Z',
    value: { amountMinor: 4200, currency: 'USD' },
    source: 'system',
    sourceUrl: null,
    clicks: [],
    person: { ...noPerson, emails: ['ana@example.com'] },
    orderId: null,
    consent: { adUserData: 'granted', adPersonalization: 'granted' },
    limitedDataUse: false,
    adjustment: 'none',
    ...changes,
  }
  return conversion as ClearedConversion
}
