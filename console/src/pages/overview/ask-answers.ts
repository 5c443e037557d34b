/** Answers for the Ask box: each sends one request to the public API and fills sentences with its figures. */
import {
  getBrief,
  getDoctor,
  getOverview,
  listCampaigns,
  listPayments,
  type Operation,
  urlOf,
} from '@whence/sdk'
import { addDays } from '@whence/server/platform/contract/dates.ts'
import { rangeBounds } from '@whence/server/platform/contract/zones.ts'
import { send } from '../../api/call.ts'
import { inProfile, type Profile, type ProfileInput } from '../../api/profile.ts'
import { count, money, plural, ratio } from '../../format/numbers.ts'
import { instantText, type Range, rangeText, today } from '../../format/times.ts'
import type { Model } from '../../search.ts'
import { payerText } from '../payments/payer-text.ts'
import type { Question } from './ask-questions.ts'
import type { Sentence } from './brief-link.tsx'

export type Answer = {
  sentences: readonly Sentence[]
  /** The request that was sent, if any. */
  request: string | null
  resultHash: string | null
}
type AnswerContext = { profile: Profile; model: Model; client?: typeof send }

const MAX_PAYMENTS = 5
const PAYMENT_DAYS = 365

export async function answerOf(question: Question, context: AnswerContext): Promise<Answer> {
  switch (question.id) {
    case 'lost':
    case 'gained':
      return largestChange(question.id, question.range, context)
    case 'roas':
    case 'changed':
      return brief(question.id, question.range, context)
    case 'best':
      return best(question.range, context)
    case 'spent':
    case 'earned':
    case 'unattributed':
      return totals(question.id, question.range, context)
    case 'paid':
      return payments(question.amount, context)
    case 'data':
      return data(context)
  }
}

async function read<Input extends ProfileInput, Output extends { data: unknown; meta: object }>(
  operation: Operation<Input, Output>,
  { profile, client = send }: AnswerContext,
  input: NoInfer<Input>,
) {
  const sent = inProfile<ProfileInput>(input, profile.id)
  const answer = await client(operation, sent)
  const { meta } = answer
  return {
    ...answer,
    request: `GET ${urlOf('', operation, sent)}`,
    resultHash: 'result_hash' in meta && typeof meta.result_hash === 'string' ? meta.result_hash : null,
  }
}

const daysOf = ({ from, to }: Range, { model }: AnswerContext) => ({
  query: { date_from: from, date_to: to, model },
})
const plain = (text: string): Sentence => ({
  kind: 'revenue',
  tone: 'neutral',
  text,
  parts: [{ text, link: null }],
})
const withCampaignLink = (
  before: string,
  name: string,
  after: string,
  campaignId: string,
  range: Range,
): Sentence => {
  const link = {
    page: 'campaigns' as const,
    campaign_id: campaignId,
    date_from: range.from,
    date_to: range.to,
    api: '',
  }
  const parts = [
    { text: before, link: null },
    { text: name, link },
    { text: after, link: null },
  ].filter(({ text }) => text !== '')
  return { kind: 'mover', tone: 'neutral', text: `${before}${name}${after}`, parts }
}

async function largestChange(way: 'lost' | 'gained', range: Range, context: AnswerContext): Promise<Answer> {
  const { data, request, resultHash } = await read(getBrief, context, daysOf(range, context))
  const days = rangeText(range.from, range.to)
  if (data.contributions === null) {
    const text = `The change of revenue in ${days} cannot be broken down by campaign: an exchange rate is missing, or the parts do not add up.`
    return { sentences: [plain(text)], request, resultHash }
  }
  const sign = way === 'lost' ? -1 : 1
  const [row] = data.contributions
    .filter(({ kind, change }) => kind === 'campaign' && sign * change > 0)
    .sort((a, b) => sign * (b.change - a.change))
  const { currency } = context.profile
  const sentence =
    row?.campaign_id == null
      ? plain(`No campaign ${way} credited revenue in ${days}.`)
      : withCampaignLink(
          '',
          row.name ?? 'A campaign',
          ` ${way} most in ${days}: ${money(Math.abs(row.change), currency)} ${way === 'lost' ? 'less' : 'more'} credited revenue, ${money(row.now, currency)} after ${money(row.before, currency)} in the period before.`,
          row.campaign_id,
          range,
        )
  return { sentences: [sentence], request, resultHash }
}

async function brief(id: 'roas' | 'changed', range: Range, context: AnswerContext): Promise<Answer> {
  const { data, request, resultHash } = await read(getBrief, context, daysOf(range, context))
  const kinds = ['spend', 'revenue', 'mover', 'stale', 'empty']
  const sentences =
    id === 'changed'
      ? data.sentences
      : data.sentences
          .filter(({ kind }) => kinds.includes(kind))
          .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  return { sentences: [plain(`${rangeText(range.from, range.to)}:`), ...sentences], request, resultHash }
}

async function best(range: Range, context: AnswerContext): Promise<Answer> {
  const { data, request, resultHash } = await read(listCampaigns, context, {
    query: { ...daysOf(range, context).query, limit: 1 },
  })
  const row = data[0]
  const { currency } = context.profile
  const days = rangeText(range.from, range.to)
  const sentence =
    row === undefined
      ? plain(`No campaign earned revenue in ${days}.`)
      : withCampaignLink(
          '',
          row.campaign_name ?? row.platform_id,
          ` earned most in ${days}: ${money(row.outcome_value, currency)} credited revenue, ${money(row.spend, currency)} spend, ROAS ${ratio(row.roas)}.`,
          row.campaign_id,
          range,
        )
  return { sentences: [sentence], request, resultHash }
}

async function totals(
  id: 'spent' | 'earned' | 'unattributed',
  range: Range,
  context: AnswerContext,
): Promise<Answer> {
  const { data, meta, request, resultHash } = await read(getOverview, context, daysOf(range, context))
  const { currency } = context.profile
  const { spend, revenue, credited_revenue, payments } = data.totals
  const days = rangeText(range.from, range.to)
  const { unattributed } = meta.reconciliation
  const texts = {
    spent: `Ad spend in ${days}: ${money(spend, currency)}.`,
    earned: `Revenue in ${days}: ${money(revenue, currency)} from ${plural(payments, 'payment')}, ${money(credited_revenue, currency)} of it credited to ads.`,
    unattributed: `Revenue without a campaign in ${days}: ${money(unattributed, currency)} of ${money(revenue, currency)}.`,
  }
  return { sentences: [plain(texts[id])], request, resultHash }
}

async function payments(amount: string | null, context: AnswerContext): Promise<Answer> {
  if (amount === null) {
    const text = 'The amount was not understood. Write one amount, such as 129.90 or 1,299.00.'
    return { sentences: [plain(text)], request: null, resultHash: null }
  }
  const { timezone } = context.profile
  const now = today(timezone)
  const { start, end } = rangeBounds(addDays(now, -PAYMENT_DAYS), now, timezone)
  const { data, pagination, request, resultHash } = await read(listPayments, context, {
    query: {
      amount_min: amount,
      amount_max: amount,
      from: start.toISOString(),
      to: end.toISOString(),
      limit: 50,
    },
  })
  if (data.length === 0)
    return { sentences: [plain(`No payment of ${amount} in the last 12 months.`)], request, resultHash }
  const rows = data
    .slice(0, MAX_PAYMENTS)
    .map((payment) =>
      plain(
        `${payerText(payment)} paid ${money(payment.value, payment.currency)} on ${instantText(payment.occurred_at, timezone)}.`,
      ),
    )
  const omittedCount = data.length - rows.length
  const moreText = `${pagination.has_next ? 'At least ' : ''}${plural(omittedCount, 'more payment')} of ${amount}: see Payments.`
  const moreSentences = omittedCount > 0 ? [plain(moreText)] : []
  return { sentences: [...rows, ...moreSentences], request, resultHash }
}

async function data(context: AnswerContext): Promise<Answer> {
  const { data: doctor, request, resultHash } = await read(getDoctor, context, {})
  const findings = doctor.checks.filter(({ status }) => status === 'problem' || status === 'warning')
  const texts =
    doctor.checked_at === null
      ? ['The data has not been checked yet. You can start a check under Data health.']
      : findings.length === 0
        ? ['The data check found no problem.']
        : findings.map(
            ({ question, count: affected, advice }) =>
              `${question} ${count(affected)} affected. ${advice.text}`,
          )
  return { sentences: texts.map(plain), request, resultHash }
}
