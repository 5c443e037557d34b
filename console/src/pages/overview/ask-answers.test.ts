import { afterEach, expect, it, vi } from 'vitest'
import { answerOf } from './ask-answers.ts'
import type { Question } from './ask-questions.ts'

afterEach(() => void vi.useRealTimers())

const range = { from: '2026-05-05', to: '2026-05-06' }
const profile = { id: 'p1', currency: 'EUR', timezone: 'America/Los_Angeles' }

/** Answers `question` with an API that returns `reply`. */
async function answerWith(question: Question, reply: Record<string, unknown>) {
  const requests: Record<string, string>[] = []
  const client = async (_entry: unknown, input: { query: Record<string, string> }) => {
    requests.push(input.query)
    return { meta: {}, ...reply }
  }
  const answer = await answerOf(question, { profile, model: 'last_touch', client } as never)
  return { texts: answer.sentences.map(({ text }) => text), request: answer.request, requests }
}

it('distinguishes a change that cannot be broken down from one without a declining campaign', async () => {
  const unknown = await answerWith({ id: 'lost', range }, { data: { contributions: null } })
  expect(unknown.texts).toEqual([
    'The change of revenue in May 5 – May 6, 2026 cannot be broken down by campaign: an exchange rate is missing, or the parts do not add up.',
  ])
  const none = await answerWith({ id: 'lost', range }, { data: { contributions: [] } })
  expect(none.texts).toEqual(['No campaign lost credited revenue in May 5 – May 6, 2026.'])
})

it('searches payments until the end of the profile’s local day', async () => {
  // 20:00 on 6 May in Los Angeles.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-07T03:00:00Z') })
  const { requests } = await answerWith({ id: 'paid', amount: '77' }, { data: [] })
  expect(requests).toMatchObject([{ from: '2025-05-06T07:00:00.000Z', to: '2026-05-07T07:00:00.000Z' }])
})

it('counts further payments, with "at least" if there is another page', async () => {
  const payment = { payer: null, value: 77, currency: 'EUR', occurred_at: '2026-05-06T10:00:00Z' }
  const lastOf = async (payments: number, has_next: boolean) => {
    const data = Array.from({ length: payments }, () => payment)
    return (await answerWith({ id: 'paid', amount: '77' }, { data, pagination: { has_next } })).texts.at(-1)
  }
  expect(await lastOf(6, false)).toBe('1 more payment of 77: see Payments.')
  expect(await lastOf(50, true)).toBe('At least 45 more payments of 77: see Payments.')
})

it('rejects an amount it cannot parse, without a request', async () => {
  const { texts, request, requests } = await answerWith({ id: 'paid', amount: null }, { data: [] })
  expect(texts).toEqual(['The amount was not understood. Write one amount, such as 129.90 or 1,299.00.'])
  expect([request, requests]).toEqual([null, []])
})
