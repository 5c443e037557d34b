/** Leads of LinkedIn's forms: read by the sync, announced by signed notifications, without test leads. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  clientSecret,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import type { LeadRecord, Session } from '../connector.ts'
import { linkedinAds } from './connector.ts'
import { LeadResponse, toLead } from './leads.ts'

const spec = connectorCases.find(({ connector }) => connector.provider === 'linkedin_ads')!

let at: RunningSandbox
beforeEach(async () => {
  at = await startSandbox(spec)
})
afterEach(() => at.close())

const leadsOf = async (session: Session): Promise<LeadRecord[]> =>
  (await syncAllPages(linkedinAds, session)).filter((record) => record.type === 'lead')

test('a response in the published format: the creative is the ad, the campaign the ad set', () => {
  const response = {
    owner: { sponsoredAccount: 'urn:li:sponsoredAccount:11223344' },
    submitter: 'urn:li:person:MpGcnvaU_p',
    leadType: 'SPONSORED',
    leadMetadata: { sponsoredLeadMetadata: { campaign: 'urn:li:sponsoredCampaign:360035215' } },
    versionedLeadGenFormUrn: 'urn:li:versionedLeadGenForm:(urn:li:leadGenForm:7234246,1)',
    id: 'a9a29e52-c0a3-42e3-8af1-2fc83b697003-4',
    submittedAt: 1_695_739_275_000,
    testLead: false,
    associatedEntity: { associatedCreative: 'urn:li:sponsoredCreative:241257736' },
    formResponse: {
      answers: [
        { answerDetails: { multipleChoiceAnswer: { options: [1, 2] } }, questionId: 507234246 },
        { answerDetails: { textQuestionAnswer: { answer: 'Ines' } }, questionId: 107234246 },
        { answerDetails: { textQuestionAnswer: { answer: 'x' } }, questionId: 9 },
      ],
    },
    form: {
      id: 7234246,
      content: {
        questions: [
          { questionId: 107234246, name: 'First name', predefinedField: 'FIRST_NAME' },
          { questionId: 507234246, name: 'By e-mail or phone?' },
        ],
      },
      hiddenFields: [{ name: 'hidden_field', value: 'abc678' }],
    },
  }
  expect(toLead(LeadResponse.parse(response), '11223344')).toEqual([
    {
      type: 'lead',
      pageId: '11223344',
      leadgenId: 'a9a29e52-c0a3-42e3-8af1-2fc83b697003-4',
      formId: '7234246',
      adId: '241257736',
      adSetId: '360035215',
      campaignId: null,
      occurredAt: '2023-09-26T14:41:15.000Z',
      // LinkedIn's predefined questions come first, so that no custom question is mistaken for an email address.
      fieldData: [
        { name: 'first_name', values: ['Ines'] },
        { name: 'By e-mail or phone?', values: ['1', '2'] },
        { name: 'question_9', values: ['x'] },
        { name: 'hidden_field', values: ['abc678'] },
      ],
    },
  ])
  expect(toLead(LeadResponse.parse({ ...response, testLead: true }), '11223344')).toEqual([])
})

test('all leads are read from pages that are shorter than requested, without the test lead', async () => {
  const leads = await leadsOf(await openSession(spec, at))
  expect(leads).toHaveLength(6)
  expect(leads[0]!.fieldData.map(({ name }) => name)).toContain('email')
})

test('a consent without leads and an account without access to leads do not affect the rest of the sync', async () => {
  await at.sandbox.act('untick_permission', { scope: 'r_marketing_leadgen_automation' })
  const session = await openSession(spec, at)
  const records = await syncAllPages(linkedinAds, session)
  expect(records.some(({ type }) => type === 'delivery')).toBe(true)
  expect(records.some(({ type }) => type === 'lead')).toBe(false)
  // A token response without scopes is accepted until LinkedIn refuses a call.
  const unnamed = { ...session, token: { ...session.token, scopes: [] } }
  const cursor = JSON.stringify({ currency: 'USD', step: 6, after: null })
  const page = await linkedinAds.sync!.page(
    unnamed,
    { sinceDay: '2026-02-20', untilDay: '2026-03-02' },
    cursor,
  )
  expect(page).toMatchObject({ setAside: [{ kind: 'account_leads' }] })
  expect(page.cleared ?? []).toEqual([])
})

test('readable leads clear the notice about the account', async () => {
  const session = await openSession(spec, at)
  const cursor = JSON.stringify({ currency: 'USD', step: 6, after: null })
  const window = { sinceDay: '2026-02-20', untilDay: '2026-03-02' }
  const page = await linkedinAds.sync!.page(session, window, cursor)
  expect(page.cleared).toEqual([session.accountId])
})

describe('notifications', () => {
  const reads = async (session: Session) => {
    const meanings = at.webhooks.splice(0).flatMap((webhook) => linkedinAds.webhooks!.map(webhook))
    const readBacks = meanings.flatMap((meaning) => (meaning.type === 'read_back' ? [meaning] : []))
    expect(readBacks.every(({ accountId }) => accountId === session.accountId)).toBe(true)
    return Promise.all(
      readBacks.map(({ resource, id }) => linkedinAds.webhooks!.readBack!(session, resource, id)),
    )
  }

  test('are subscribed once per account, only for an https address', async () => {
    const session = await openSession(spec, at)
    await leadsOf(session)
    await leadsOf(session)
    const look = async () => (await at.sandbox.act('look', {})).subscriptions
    expect(await look()).toEqual([spec.extra.webhookUrl])
    const plain = { ...at.app, extra: { webhookUrl: 'http://localhost/webhooks/in/linkedin_ads' } }
    expect(await leadsOf({ ...session, app: plain })).toHaveLength(6)
    expect(await look()).toEqual([spec.extra.webhookUrl])
  })

  test('lead to reading the lead; test leads are ignored, and a deleted lead is a privacy request', async () => {
    const session = await openSession(spec, at)
    const { id } = await at.sandbox.act('lead', {})
    expect(await reads(session)).toMatchObject([[{ type: 'lead', leadgenId: id }]])
    await at.sandbox.act('lead', { test: true })
    expect(await reads(session)).toEqual([[]])
    await at.sandbox.act('delete_lead', { id })
    const [deleted] = at.webhooks
    expect(linkedinAds.webhooks!.verify(at.app, deleted!, at.clock.now)).toBe(true)
    expect(linkedinAds.webhooks!.readPrivacyRequest!(deleted!)).toEqual({
      type: 'lead_redact',
      accountId: session.accountId,
      leadId: id,
      person: null,
    })
    expect(await reads(session)).toEqual([])
    // Notices of a list are processed one by one.
    const body = Buffer.from(deleted!.rawBody).toString()
    const created = body.replace('DELETED', 'CREATED')
    const parts = linkedinAds.webhooks!.split!(Buffer.from(`[${created},${body}]`))
    expect(parts.map((part) => Buffer.from(part).toString())).toEqual([created, body])
  })
})

describe('the challenge', () => {
  const answer = (challengeCode: string) => linkedinAds.webhooks!.answerChallenge!(at.app, { challengeCode })

  test('is answered with its digest in hex', () => {
    const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
    const digest = createHmac('sha256', clientSecret).update(code).digest('hex')
    expect(answer(code)).toEqual({ challengeCode: code, challengeResponse: digest })
  })

  test('signs no text of the caller: a notification cannot be forged', () => {
    const rawBody = Buffer.from('{"type":"LEAD_ACTION"}')
    for (const code of [`hmacsha256=${rawBody}`, '', 'nonsense', '890e4665-4dfe-4ab1-b689-ed553bceeed0{'])
      expect(answer(code)).toBeNull()
    const signature = createHmac('sha256', clientSecret).update('hmacsha256=').update(rawBody).digest('hex')
    const verify = (headers: Record<string, string>) =>
      linkedinAds.webhooks!.verify(at.app, { rawBody, headers, query: {} }, at.clock.now)
    expect(verify({ 'x-li-signature': signature })).toBe(true)
    const bare = createHmac('sha256', clientSecret).update(rawBody).digest('hex')
    expect(verify({ 'x-li-signature': bare })).toBe(false)
  })
})
