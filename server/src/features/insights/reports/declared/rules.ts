/** Customers' answers next to the credit of their payments. Pure. */
import { wilson } from '../../../../platform/statistics/wilson.ts'
import type { DeclaredReport } from './contract.ts'

/** A customer's answer and the credit of the customer's payment; the weights of one customer add up to 1. */
export type AnsweredCustomer = {
  answerKey: string
  text: string | null
  parts: readonly { channel: string; campaignId: string | null; weight: number }[]
}

type Interval = { share: number | null; share_low: number | null; share_high: number | null }
type AnswerShares = DeclaredReport['channels'][number]['answers']

/** Channel of credit without a touch. */
export const UNKNOWN = 'unknown'
const MIN_CUSTOMERS_PER_TEXT = 3
const MAX_TEXTS = 50

const rounded = (value: number) => Math.round(value * 1e9) / 1e9

export function intervalOf(count: number, total: number): Interval {
  if (total === 0) return { share: null, share_low: null, share_high: null }
  const [low, high] = wilson(Math.min(count, total), total)
  return { share: rounded(count / total), share_low: rounded(low), share_high: rounded(high) }
}

/** Credit per key, and within it per answer; largest first. */
export function splitBy(
  customers: readonly AnsweredCustomer[],
  keyOf: (part: AnsweredCustomer['parts'][number]) => string | null,
): { key: string; credit: number; answers: AnswerShares }[] {
  const sums = new Map<string, Map<string, number>>()
  for (const { answerKey, parts } of customers)
    for (const part of parts) {
      const key = keyOf(part)
      if (key === null) continue
      const byAnswer = sums.get(key) ?? new Map<string, number>()
      sums.set(key, byAnswer.set(answerKey, (byAnswer.get(answerKey) ?? 0) + part.weight))
    }
  return [...sums]
    .map(([key, byAnswer]) => {
      const credit = [...byAnswer.values()].reduce((sum, weight) => sum + weight, 0)
      const answers = [...byAnswer]
        .map(([answer_key, weight]) => ({
          answer_key,
          credit: rounded(weight),
          ...intervalOf(weight, credit),
        }))
        .sort((a, b) => b.credit - a.credit || (a.answer_key < b.answer_key ? -1 : 1))
      return { key, credit: rounded(credit), answers }
    })
    .sort((a, b) => b.credit - a.credit || (a.key < b.key ? -1 : 1))
}

export function countAnswers(
  customers: readonly AnsweredCustomer[],
  channelsOf: (answerKey: string) => readonly string[],
): { answer_key: string; count: number; credited_share: number | null }[] {
  const counts = new Map<string, number>()
  for (const { answerKey } of customers) counts.set(answerKey, (counts.get(answerKey) ?? 0) + 1)
  const credited = new Map(splitBy(customers, (part) => part.channel).map((row) => [row.key, row.credit]))
  return [...counts]
    .map(([answer_key, count]) => {
      const channels = channelsOf(answer_key)
      const credit = channels.reduce((sum, channel) => sum + (credited.get(channel) ?? 0), 0)
      return {
        answer_key,
        count,
        credited_share: channels.length === 0 ? null : rounded(credit / customers.length),
      }
    })
    .sort((a, b) => b.count - a.count || (a.answer_key < b.answer_key ? -1 : 1))
}

/** Texts that several customers wrote: a rare text may contain personal data. */
export function sharedTexts(customers: readonly AnsweredCustomer[]): { text: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { text } of customers) {
    const normalized = text?.trim().toLowerCase().replace(/\s+/g, ' ')
    if (normalized) counts.set(normalized, (counts.get(normalized) ?? 0) + 1)
  }
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .filter(({ count }) => count >= MIN_CUSTOMERS_PER_TEXT)
    .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_TEXTS)
}
