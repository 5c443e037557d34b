/** The questions that the Ask box answers, recognised by fixed patterns. */
import { readAmountText } from '@whence/server/platform/contract/amounts.ts'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import type { Range } from '../../format/times.ts'

export type Question =
  | {
      id: 'lost' | 'gained' | 'roas' | 'changed' | 'best' | 'spent' | 'earned' | 'unattributed'
      range: Range
    }
  /** A plain decimal; null if the amount is ambiguous. */
  | { id: 'paid'; amount: string | null }
  | { id: 'data' }

/** Shown as buttons, and when a question is not recognised. */
export const examples = [
  'Which campaign lost most this week?',
  'Which campaign gained most this week?',
  'Why did ROAS change this week?',
  'What changed this month?',
  'Which campaign earned most this month?',
  'How much did we spend this week?',
  'How much did we earn yesterday?',
  'How much revenue has no campaign this month?',
  'Who paid 129.90?',
  'What is wrong with the data?',
] as const

/** The first matching pattern decides. */
const patterns: readonly [Exclude<Question['id'], 'paid'>, RegExp][] = [
  ['data', /\b(wrong|problems?|healthy?|faults?)\b.*\bdata\b|\bdata\b.*\b(wrong|problems?|health|faults?)\b/],
  ['lost', /\bcampaigns?\b.*\b(lost|fell|dropped|declined)\b/],
  ['gained', /\bcampaigns?\b.*\b(gained|grew|rose|improved)\b/],
  ['unattributed', /\b(unattributed|without a campaign|has no campaign|not attributed)\b/],
  ['best', /\bcampaigns?\b.*\b(earned|best|most revenue)\b|\bbest campaigns?\b/],
  ['roas', /\broas\b/],
  ['spent', /\b(spend|spent)\b/],
  ['earned', /\b(earn|earned|revenue|income)\b/],
  ['changed', /\bwhat (has )?changed\b|\bwhy\b.*\bchange/],
]

/** Null for any other question. Without days in the text, the page's days are used. */
export function readQuestion(text: string, pageRange: Range, today: string): Question | null {
  const question = text.toLowerCase().trim()
  const paid = /\bpaid\b(.*\d.*)/.exec(question)?.[1]
  if (paid !== undefined) return { id: 'paid', amount: amountIn(paid) }
  const id = patterns.find(([, pattern]) => pattern.test(question))?.[0]
  if (id === undefined) return null
  return id === 'data' ? { id } : { id, range: daysIn(question, pageRange, today) }
}

/** Null if there are several amounts or one is ambiguous. */
function amountIn(text: string): string | null {
  const [amount, ...otherNumbers] = text
    .replace(/(\d)\s(?=\d{3}(?!\d))/g, '$1')
    .split(/\s/)
    .filter((word) => /\d/.test(word))
  if (amount === undefined || otherNumbers.length > 0) return null
  let end = amount.length
  while (end > 0 && '?!.,;'.includes(amount[end - 1]!)) end -= 1
  return readAmountText(amount.slice(0, end)) ?? null
}

/** Whole days up to yesterday, because today is incomplete. */
function daysIn(question: string, pageRange: Range, today: string): Range {
  const last = (days: number) => ({ from: addDays(today, -days), to: addDays(today, -1) })
  if (/\btoday\b/.test(question)) return { from: today, to: today }
  if (/\byesterday\b/.test(question)) return last(1)
  if (/\bweek\b/.test(question)) return last(7)
  if (/\bmonth\b/.test(question)) return last(28)
  return pageRange
}
