/** Bad requests to the routes that write events, payments and imports. */
import {
  at,
  type BadRequest,
  badBodies,
  badBytes,
  notUuid,
  parameter,
  type Refusal,
  schema,
  tooLarge,
  unknown,
} from './cases.ts'

const KIB = 1024
const event = { event_name: 'lead_created', idempotency_key: 'bad-1', anonymous_id: 'eva' }
const money = { ...event, properties: { value: 10, currency: 'EUR' } }

/** Refused forms of subject_ref: an address, seven digits, a date, a name, a digest; and invalid tokens. */
const tellingRefs = [
  'ana@example.com',
  '600111222',
  '600-11-12_22',
  'a1-234-56-78',
  '2026-05-01',
  'x20260501y',
  '1-5-1990',
  'maria-lopez',
  'Maria',
  'MariaLopez',
  'Maria_Lopez_Ruiz',
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'a'.repeat(33),
  'has space',
  'dot.ted',
  'ñ',
  '',
]

const refunds: Refusal = [422, 'amount_invalid']
const ref: Refusal = [422, 'payment_ref_invalid']
const stranger: Refusal = [422, 'customer_not_in_profile']
const card = { payment_id: 'tx-9', value: 10, currency: 'EUR' }
const referral = {
  ad_id: 'A1',
  channel: 'chatapp',
  occurred_at: '2026-05-10T10:00:00Z',
  customer: { phone: '+34600111222' },
}
const spend = {
  source: 'radio',
  level: 'ad',
  campaign_id: 'C1',
  ad_set_id: 'S1',
  ad_id: 'A1',
  date: '2026-05-01',
  spend: 5,
}
const rows = (...wrong: Record<string, unknown>[]) => wrong.map((row) => ({ rows: [{ ...spend, ...row }] }))

/** `payments`: ids of a payment without refunds and of a manually refunded one. */
export function badWrites(payments: { whole: string; refunded: string }): Record<string, BadRequest[]> {
  const wholePayment = { payment_id: payments.whole }
  const refund = { amount: 10 }
  return {
    sendEvent: [
      ...badBytes(256 * KIB),
      ...badBodies(
        event,
        schema,
        { event_name: undefined },
        { event_name: '' },
        { event_name: 'x'.repeat(101) },
        { event_name: 7 },
        { event_type: 'quote_presented' },
        { timestamp: 'yesterday' },
        { timestamp: '2026-05-01' },
        { timestamp: '2999-01-01T00:00:00Z' },
        { anonymous_id: '' },
        { anonymous_id: 'x'.repeat(201) },
        { idempotency_key: '' },
        { idempotency_key: 'x'.repeat(256) },
        { user_traits: { mail: 'a@b.c' } },
        { user_traits: { email: 7 } },
        { ad: { ad: 'A1' } },
        { utm: { source: 7 } },
        { click_ids: ['gclid'] },
        { value: 10 },
        { extra: true },
      ),
      ...badBodies(
        money,
        schema,
        { idempotency_key: undefined },
        { properties: { value: -1 } },
        { properties: { value: 'ten' } },
        { properties: { value: '' } },
        { properties: { value: '1,50' } },
        { properties: { value: 10, currency: 'XXQ' } },
        { properties: { value: 10, currency: '' } },
        { properties: { value: 10, currency: 978 } },
        { properties: { value: true } },
        { properties: { subject_ref: 7 } },
      ),
      ...tellingRefs.map(
        (subject_ref): BadRequest => ({
          wrong: `subject_ref ${subject_ref}`,
          body: { ...money, properties: { value: 10, subject_ref } },
          refusal: parameter,
        }),
      ),
      {
        wrong: 'a retracted key',
        body: { ...event, idempotency_key: 'gone' },
        refusal: [409, 'invalid_state'],
      },
      {
        wrong: 'a key of other characters in the header',
        body: { event_name: 'lead_created' },
        headers: { 'idempotency-key': 'x'.repeat(256) },
        refusal: parameter,
      },
    ],
    sendEvents: [
      ...badBytes(KIB * KIB),
      ...badBodies(
        {},
        schema,
        {},
        { events: [] },
        { events: {} },
        { events: 'x' },
        { events: [event], extra: 1 },
        { events: Array.from({ length: 1001 }, () => ({ event_name: 'x' })) },
      ),
    ],
    retractEvent: [
      ...badBodies(
        {},
        schema,
        {},
        { idempotency_key: '' },
        { idempotency_key: 'x'.repeat(256) },
        { idempotency_key: 'paid', reason: 'x'.repeat(1001) },
        { idempotency_key: 'paid', extra: 1 },
      ),
      { wrong: 'an unknown key', body: { idempotency_key: 'never' }, refusal: [404, 'event_not_found'] },
    ],
    setInstallment: [
      ...at(
        wholePayment,
        badBodies(
          { is_installment: true },
          schema,
          { is_installment: 'yes' },
          { is_installment: undefined },
          { extra: 1 },
        ),
      ),
      notUuid('payment_id', { is_installment: true }),
      unknown('payment_id', 'not_found', { body: { is_installment: true } }),
    ],
    setPayer: [
      ...at(wholePayment, [
        ...badBodies(
          {},
          schema,
          {},
          { email: 'eva@example.com', phone: '+34600111222' },
          { customer_id: '12' },
          { email: '' },
          { name: 'Eva' },
        ),
        ...badBodies(
          {},
          stranger,
          { email: 'unknown@example.com' },
          { email: 'no address' },
          { phone: '+34699999999' },
          { phone: 'no number' },
          { customer_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111' },
        ),
      ]),
      notUuid('payment_id', { email: 'eva@example.com' }),
      unknown('payment_id', 'not_found', { body: { email: 'eva@example.com' } }),
    ],
    recordRefund: [
      ...at(wholePayment, [
        ...badBodies(
          {},
          refunds,
          { amount: 0 },
          { amount: -1 },
          { amount: '100.01' },
          { amount: 1e9 },
          { amount: 'much' },
          { amount: '' },
        ),
        ...badBodies(
          refund,
          schema,
          { amount: undefined },
          { amount: null },
          { reason: 'x'.repeat(501) },
          { refunded_at: 'yesterday' },
          { refunded_at: '2999-01-01T00:00:00Z' },
          { extra: 1 },
        ),
        ...badBodies(refund, schema, { refunded_at: '2026-05-01T00:00:00Z' }).map((before) => ({
          ...before,
          ofState: true,
        })),
      ]),
      ...at(
        { payment_id: payments.refunded },
        badBodies(refund, [422, 'manual_refund_exists'], { amount: 1 }),
      ),
      notUuid('payment_id', refund),
      unknown('payment_id', 'not_found', { body: refund }),
    ],
    deleteRefund: [
      { wrong: 'no refund there', params: wholePayment, refusal: [404, 'not_found'] },
      notUuid('payment_id'),
      unknown('payment_id', 'not_found'),
    ],
    reportCardGatewayPayment: [
      ...badBytes(KIB * KIB),
      ...badBodies(
        card,
        ref,
        { payment_id: '' },
        { payment_id: 'a b' },
        { payment_id: 'x'.repeat(129) },
        { merchant_id: 'a:b' },
      ),
      ...badBodies(
        card,
        schema,
        { payment_id: undefined },
        { value: undefined },
        { value: -1 },
        { value: 'ten' },
        { currency: undefined },
        { currency: 'XXQ' },
        { status: 'refunded' },
        { occurred_at: 'yesterday' },
        { occurred_at: '2999-01-01T00:00:00Z' },
        { customer: { name: 'Eva' } },
        { subject_ref: 'x1' },
      ),
      ...badBodies(card, [422, 'unknown_customer_ref'], { customer: { external_ref: 'crm-unknown' } }),
    ],
    sendAdReferral: [
      ...badBytes(KIB * KIB),
      ...badBodies(referral, [422, 'unknown_ad'], { ad_id: 'A9' }),
      ...badBodies(referral, [422, 'unknown_customer_ref'], { customer: { external_ref: 'crm-unknown' } }),
      ...badBodies(
        referral,
        schema,
        { ad_id: '' },
        { ad_id: undefined },
        { channel: 'fax' },
        { customer: {} },
        { customer: undefined },
        { occurred_at: undefined },
        { occurred_at: '2999-01-01T00:00:00Z' },
        { extra: 1 },
      ),
    ],
    importSpend: [
      ...badBytes(KIB * KIB).filter((badRequest) => badRequest.raw?.contentType !== 'text/plain'),
      ...badBodies(
        {},
        schema,
        {},
        { rows: [] },
        { rows: Array.from({ length: 1001 }, () => spend) },
        ...rows(
          { source: 'Radio' },
          { source: '' },
          { level: 'keyword' },
          { ad_id: undefined },
          { date: '2026-02-30' },
          { date: '01/05/2026' },
          { spend: -1 },
          { spend: 'much' },
          { spend: undefined },
          { currency: 'XXQ' },
          { impressions: -1 },
          { impressions: 1.5 },
          { clicks: 'many' },
          { reach: -1 },
          { platform_conversions: -1 },
          { extra: 1 },
        ),
        { rows: [spend, { ...spend, spend: -1 }] },
      ),
      {
        wrong: 'CSV with an unknown column',
        raw: { contentType: 'text/csv', bytes: 'source,x\nradio,1\n' },
        refusal: schema,
      },
      {
        wrong: 'too large CSV',
        raw: { contentType: 'text/csv', bytes: 'x'.repeat(KIB * KIB + 1) },
        refusal: tooLarge,
      },
    ],
  }
}
