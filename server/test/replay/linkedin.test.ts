/** Responses in the format of LinkedIn's pages and from recordings, with our values (README.md). */
import { expect, test } from 'vitest'
import { LeadResponse, toLead } from '../../src/connectors/linkedin-ads/leads.ts'
import { AnalyticsRow, Creative, toAdRecord, toDelivery } from '../../src/connectors/linkedin-ads/mapping.ts'

test('a row of a report by campaign: money as text with three digits', () => {
  const row = {
    clicks: 310,
    impressions: 18_500,
    pivotValues: ['urn:li:sponsoredCampaign:222333'],
    costInLocalCurrency: '412.340',
    costInUsd: '449.915',
    dateRange: { start: { month: 2, day: 3, year: 2026 }, end: { month: 2, day: 3, year: 2026 } },
  }
  expect(toDelivery(AnalyticsRow.parse(row), 'ad_set', 'EUR')).toMatchObject({
    externalId: '222333',
    day: '2026-02-03',
    spendMinor: 41_234,
    currency: 'EUR',
    impressions: 18_500,
    clicks: 310,
    platformConversionsMilli: null,
    aside: { costInUsd: '449.915' },
  })
})

test('a creative without content, and one that is a draft, are ads', () => {
  const read = (fields: object) => toAdRecord(Creative.parse(fields), null, 'EUR')
  const running = {
    id: 'urn:li:sponsoredCreative:1',
    status: 'ACTIVE',
    intendedStatus: 'ACTIVE',
    campaign: 'urn:li:sponsoredCampaign:42',
    review: { status: 'APPROVED' },
    createdAt: 1_700_000_000_000,
  }
  expect(read(running)).toMatchObject({ externalId: '1', adSetExternalId: '42', status: 'ACTIVE' })
  const draft = { ...running, id: 'urn:li:sponsoredCreative:2', intendedStatus: 'DRAFT' }
  expect(read(draft)).toMatchObject({ externalId: '2', status: 'DRAFT', creative: null })
  expect(read({ ...running, id: 3 })).toMatchObject({ externalId: '3' })
  expect(() => read({ ...running, id: 'urn:li:sponsoredCampaign:4' })).toThrow()
})

test('a lead response without the form’s questions, with text ids, keeps its answers', () => {
  const response = {
    id: 'response-7',
    leadType: 'SPONSORED',
    owner: { sponsoredAccount: 'urn:li:sponsoredAccount:48151623' },
    submittedAt: 1_770_076_800_000,
    formResponse: {
      answers: [{ questionId: 'q1', answerDetails: { textQuestionAnswer: { answer: 'Kitchens' } } }],
    },
  }
  expect(toLead(LeadResponse.parse(response), '48151623')).toMatchObject([
    {
      leadgenId: 'response-7',
      occurredAt: '2026-02-03T00:00:00.000Z',
      adId: null,
      fieldData: [{ name: 'question_q1', values: ['Kitchens'] }],
    },
  ])
})
