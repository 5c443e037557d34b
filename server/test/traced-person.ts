/** A person with data in every table that can contain some, and a search for remaining data. */
import { emptyPerson } from '../src/connectors/person.ts'
import { loadAttributionProfile } from '../src/features/attribution/crediting/settings.ts'
import { mergeCustomers } from '../src/features/corrections/identity-review/merges.ts'
import { recordRefund, setPayer } from '../src/features/corrections/payments/contract.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import { eventIdOf } from '../src/features/facts/events/rules.ts'
import { identifierId } from '../src/features/facts/identity/identifiers.ts'
import { applyRecords } from '../src/features/sources/connections/records.ts'
import { issueTrackingKey } from '../src/features/sources/tracking/contract.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { createCheckedClient } from './answers.ts'
import type { TestApp } from './app.ts'
import { makeWirePage } from './wire-page.ts'

export type TracedPerson = {
  email: string
  phone: string
  visitor: string
  externalId: string
  subject: string
  orderKey: string
  /** All data of the person contains one of these. */
  words: string[]
  /** The first is the root identifier. */
  identifiers: string[]
  /** The CRM and the lead form report the person again. */
  bringLead(): Promise<void>
}

/** A visit by an ad, a page without a trace, a purchase, a CRM contact, a lead form, a merge, a payer and a refund. */
export async function makeTracedPerson(
  app: TestApp,
  { profileId, key, number }: { profileId: string; key: string; number: number },
): Promise<TracedPerson> {
  const call = app.as(key)
  const name = `maria${number}x`
  const email = `${name}@example.com`
  const phone = `+34600555${100 + number}`
  const [visitor, externalId, subject, orderKey] = [
    `visitor-${name}`,
    `crm-${name}`,
    `s7f-${name}`,
    `order-${name}`,
  ]
  const idOf = (kind: 'email' | 'phone' | 'anonymous_id' | 'external_id', value: string) =>
    identifierId(kind, value, profileId, app.service.identityPepper)
  const send = (body: Record<string, unknown>) => call(sendEvent, { body })
  const bringLead = async () => {
    const person = {
      ...emptyPerson(),
      contactId: `contact-${name}`,
      email: email,
      firstName: `First ${name}`,
      lastName: 'Lopez',
    }
    const target = (provider: string) =>
      ({
        service: app.service,
        profile: { id: profileId, currency: 'EUR' },
        connection: { id: crypto.randomUUID(), provider },
        now: new Date(),
      }) as never
    const outcome = {
      type: 'outcome' as const,
      externalId: `contact-${name}`,
      outcomeType: 'lead_created',
      occurredAt: '2026-05-02T10:00:00.000Z',
      value: null,
      person,
      stageId: null,
      retracted: false,
    }
    const lead = {
      type: 'lead' as const,
      leadgenId: `lead-${number}`,
      pageId: 'page-1',
      formId: null,
      adId: null,
      campaignId: null,
      occurredAt: '2026-05-02T11:00:00.000Z',
      fieldData: [
        { name: 'email', values: [email] },
        { name: 'wish', values: [`lead-answer-${name}`] },
      ],
    }
    await inTransaction(app.service.db, async (tx) => {
      await applyRecords(tx, target('crmsuite'), [outcome])
      await applyRecords(tx, target('social_ads'), [lead])
    })
  }
  const tracking = await call(issueTrackingKey)
  const page = (overrides: Record<string, unknown>) =>
    makeWirePage({
      event_id: crypto.randomUUID(),
      anonymous_id: visitor,
      session_id: `session-${name}`,
      occurred_at: '2026-05-03T10:00:00Z',
      sent_at: new Date().toISOString(),
      ...overrides,
    })
  const events = [
    page({
      url: `https://shop.example/landing-${name}?ad_id=A1`,
      click_ids: { fbclid: `click-${name}` },
      ad: { ad_id: 'A1', campaign_id: 'C1' },
    }),
    page({ session_start: false, url: `https://shop.example/landing-${name}` }),
  ]
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    body: JSON.stringify({ key: tracking.data.key, events }),
  })
  const answer = (await reply.json()) as { data?: { accepted: number } }
  if (answer.data?.accepted !== 2) throw new Error(`Pages refused: ${JSON.stringify(answer)}`)
  await send({
    event_name: 'payment_received',
    idempotency_key: orderKey,
    anonymous_id: visitor,
    timestamp: '2026-05-04T10:00:00Z',
    properties: {
      value: 100,
      currency: 'EUR',
      subject_ref: subject,
      order_id: orderKey,
      note: `note-${name}`,
    },
    user_traits: {
      email: email.toUpperCase(),
      phone: phone,
      first_name: 'Maria',
      last_name: 'Lopez',
    },
  })
  await send({
    event_name: 'payment_received',
    idempotency_key: `old-account-${number}`,
    timestamp: '2026-05-05T10:00:00Z',
    properties: { value: 20, currency: 'EUR', subject_ref: subject },
    user_traits: { external_id: externalId },
  })
  await send({
    event_name: 'payment_received',
    idempotency_key: `paid-for-bob-${number}`,
    timestamp: '2026-05-06T10:00:00Z',
    properties: { value: 7, currency: 'EUR' },
    user_traits: { email: 'bob@example.com' },
    ad: { ad_id: 'A1', campaign_id: 'C1' },
  })
  await send({
    event_name: 'payment_received',
    idempotency_key: `bob-1-${number}`,
    timestamp: '2026-05-07T10:00:00Z',
    properties: { value: 50, currency: 'EUR' },
    user_traits: { email: 'bob@example.com' },
  })
  await bringLead()
  await app.service.processor.settled(profileId)
  await inTransaction(app.service.db, async (tx) => {
    await mergeCustomers(tx, await loadAttributionProfile(tx, profileId), {
      id: crypto.randomUUID(),
      fromCustomerId: idOf('external_id', externalId),
      intoCustomerId: idOf('email', email),
      by: null,
      now: new Date(),
    })
  })
  const params = (idempotencyKey: string) => ({ payment_id: eventIdOf(profileId, idempotencyKey) })
  await createCheckedClient({
    baseUrl: app.baseUrl,
    fetch: app.fetch,
    token: key,
    headers: { 'idempotency-key': `payer-${number}` },
  })(setPayer, {
    params: params(`paid-for-bob-${number}`),
    body: { email: email },
  })
  await call(recordRefund, {
    params: params(orderKey),
    body: { amount: 10, reason: `because-${name}`, refunded_at: '2026-05-08T10:00:00Z' },
  })
  return {
    email,
    phone,
    visitor,
    externalId,
    subject,
    orderKey,
    words: [name, phone.slice(3)],
    identifiers: [
      idOf('email', email),
      idOf('phone', phone),
      idOf('external_id', externalId),
      idOf('anonymous_id', visitor),
    ],
    bringLead,
  }
}

/** Every row of every table that contains one of the words. */
export async function foundIn(app: TestApp, words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await app.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const hits: string[] = []
  for (const { name } of tables) {
    const { rows } = await app.pool.query<{ line: string }>(
      `select row_to_json(t)::text as line from "${name}" t
       where exists (select 1 from unnest($1::text[]) as w(word)
         where position(lower(word) in lower(t::text)) > 0
           or position(encode(convert_to(word, 'utf8'), 'hex') in t::text) > 0)`,
      [words],
    )
    for (const { line } of rows) hits.push(`${name}: ${line}`)
  }
  return hits
}
