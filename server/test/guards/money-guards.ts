/** No amount counts twice or is lost, and all amounts add up. */
import type { Guard } from './guard.ts'

const idempotency = 'server/test/idempotency.test.ts'

export const moneyGuards: readonly Guard[] = [
  {
    name: 'reports: a row counts refunds without an exchange rate',
    file: 'server/src/features/attribution/crediting/credits/packed.ts',
    snippet: 'chunk.addRefund(conversion, 0, refund.day, kinds.ofUnratedRefund(credit))',
    replacement: 'continue',
    test: {
      file: 'server/src/features/corrections/exchange-rates/exchange-rates.test.ts',
      title: 'the reconciliation of a report counts the amounts that lack an exchange rate',
    },
  },
  {
    name: 'reports: a list of conversions adds up to the credit of its row',
    file: 'server/src/features/insights/reports/conversions.ts',
    snippet: 'ratio(weight, total, SHARE_DECIMALS) ?? 0',
    replacement: 'ratio(weight, total) ?? 0',
    test: {
      file: 'server/test/invariants/worlds.test.ts',
      title: 'parts, lists, facts and days agree in the world of seed %i',
    },
  },
  {
    name: 'sdk: money gets no random idempotency key',
    file: 'sdk/src/client.ts',
    snippet: 'return value !== undefined && value !== null',
    replacement: 'return value === undefined && value !== undefined',
    test: {
      file: 'sdk/test/cases.test.ts',
      title: '%s',
    },
  },
  {
    name: 'money: an amount with more decimals than its currency is rounded half to even',
    file: 'server/src/platform/contract/money.ts',
    snippet: 'twice > divisor || (twice === divisor && quotient % 2n === 1n)',
    replacement: 'twice >= divisor',
    test: {
      file: 'server/src/connectors/amounts.test.ts',
      title: '%s %s is rounded half to even, and keeps the amount as reported',
    },
  },
  {
    name: 'refunds: a page refunds only what pages reported',
    file: 'server/src/features/attribution/pipeline/refund-events.ts',
    snippet: 'payment.byBrowser || !refund.byBrowser',
    replacement: 'payment.id !== refund.eventId',
    test: {
      file: 'server/src/features/corrections/payments/reported-refunds.test.ts',
      title:
        'Segment’s Order Refunded, from a server or a page, and the tracker; a page refunds only what pages reported',
    },
  },
  {
    name: 'refunds: a refund is no conversion',
    file: 'server/src/features/corrections/goals/contract.ts',
    snippet: '!list.includes(REFUND_EVENT)',
    replacement: 'list.length > 0',
    test: {
      file: 'server/src/features/corrections/payments/reported-refunds.test.ts',
      title: 'a refund is no conversion, needs an order, and a payment has no negative value',
    },
  },
  {
    name: 'idempotency: events without a key in a batch with one',
    file: 'server/src/features/facts/events/operations.ts',
    snippet: 'if (headerKey === null || event.externalId !== null)',
    replacement: 'if (headerKey !== undefined)',
    test: {
      file: idempotency,
      title:
        'a batch of events repeated with its key stores nothing twice, whether or not its response was stored',
    },
  },
  {
    name: 'idempotency: a key belongs to one request',
    file: 'server/src/platform/http/idempotency.ts',
    snippet: 'rows.find(({ fingerprint }) => fingerprint.equals(requestFingerprint))',
    replacement: 'rows[0]',
    test: {
      file: idempotency,
      title:
        'the same key for another body or operation is refused; keys of different people are independent',
    },
  },
  {
    name: 'idempotency: concurrent equal calls have one effect',
    file: 'server/src/platform/http/idempotency.ts',
    snippet: 'if (lock.rows[0]?.free !== true)',
    replacement: 'if (false)',
    test: { file: idempotency, title: 'fifty concurrent equal calls have one effect and one response' },
  },
  {
    name: 'idempotency: an equal event changes nothing',
    file: 'server/src/features/facts/events/replace.ts',
    snippet: '=> key.content_hash.equals(contentHash)',
    replacement: '=> key.content_hash.length !== contentHash.length',
    test: {
      file: 'server/src/features/corrections/retractions/retract-event.test.ts',
      title: 'a retraction removes a payment and all of its credit',
    },
  },
  {
    name: 'idempotency: a retracted event does not come back',
    file: 'server/src/features/facts/events/replace.ts',
    snippet: "if (key.retracted_at !== null) statuses.set(sent.id, 'retracted')\n    else if",
    replacement: 'if',
    test: {
      file: 'server/src/features/corrections/retractions/retract-event.test.ts',
      title: 'a retraction removes a payment and all of its credit',
    },
  },
  {
    name: 'updates: a changed amount is processed again',
    file: 'server/src/features/facts/events/replace.ts',
    snippet: '|| !hasEqualProcessedPart(previous, event)',
    replacement: '',
    test: {
      file: 'server/src/features/facts/events/replace.test.ts',
      title: 'differs only in unprocessed fields',
    },
  },
  {
    name: 'updates: a quarantined event is retried',
    file: 'server/src/features/facts/events/replace.ts',
    snippet: '|| lifted.has(event.id)',
    replacement: '',
    test: {
      file: 'server/src/features/facts/events/replace.test.ts',
      title: 'any later version of an event that was set aside is processed',
    },
  },
  {
    name: 'idempotency: an outcome is sent once',
    file: 'server/src/features/facts/outbox/record.ts',
    snippet: 'if (existingKeys.has(key) || seenKeys.has(key)) return false',
    replacement: '',
    test: {
      file: 'server/src/features/facts/outbox/outcomes.test.ts',
      title: 'an outcome is reported once, also after re-syncs, changes and recomputes',
    },
  },
  {
    name: 'idempotency: a worker ends only the run it holds',
    file: 'server/src/platform/jobs/settle.ts',
    snippet: 'where jobs.id = batch.id and jobs.lease_id = batch.lease_id returning jobs.id`.execute(db)\n',
    replacement: 'where jobs.id = batch.id returning jobs.id`.execute(db)\n',
    test: {
      file: 'server/src/platform/jobs/failures.test.ts',
      title: 'that expires passes the job to another worker, and the first can no longer complete it',
    },
  },
  {
    name: 'money: remaining units are assigned to the largest remainders',
    file: 'engine/src/split.ts',
    snippet: 'if (remainingMinor > 0) giveRemainder(remainingMinor, count, parts, partsAt)',
    replacement: '',
    test: {
      file: 'engine/src/split.test.ts',
      title: 'gives parts that sum to the whole, negative and huge amounts included',
    },
  },
  {
    name: 'money: an amount that cannot be stored exactly is refused',
    file: 'server/src/platform/contract/money.ts',
    snippet: "if (!isAmount(minor)) return refusal('too_large', tooLarge(currency))",
    replacement: '',
    test: { file: 'server/src/platform/contract/money.test.ts', title: 'is refused' },
  },
  {
    name: 'money: a manual refund is bounded by the amount that the provider has not refunded',
    file: 'server/src/features/corrections/payments/rules.ts',
    snippet: ' || parsed.amountMinor > refundableMinor',
    replacement: '',
    test: {
      file: 'server/src/features/corrections/payments/refunds.test.ts',
      title: 'are refused above the value that the provider has not refunded',
    },
  },
  {
    name: 'money: a payment has one manual refund',
    file: 'server/src/features/corrections/payments/operations.ts',
    snippet: 'if (payment.manual_minor !== null)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/corrections/payments/refunds.test.ts',
      title: 'are refused above the value that the provider has not refunded',
    },
  },
  {
    name: 'money: a budget changes by at most half',
    file: 'server/src/features/sources/campaigns/rules.ts',
    snippet: 'currentMinor === null || Math.abs(wantedMinor - currentMinor) * 2 > currentMinor',
    replacement: 'currentMinor === null',
    test: {
      file: 'server/src/features/sources/campaigns/campaigns.test.ts',
      title: 'changes its budget by at most half, also under an idempotency key',
    },
  },
  {
    name: 'money: a negative value is refused',
    file: 'server/src/features/facts/events/rules.ts',
    snippet: 'if (parsed.amountMinor < 0 && !isRefund)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/facts/events/rules.test.ts',
      title: 'money that is negative, or comes without a key, is refused',
    },
  },
  {
    name: 'idempotency: money needs a key',
    file: 'server/src/features/facts/events/rules.ts',
    snippet: 'if (money !== undefined && key === undefined)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/facts/events/rules.test.ts',
      title: 'money that is negative, or comes without a key, is refused',
    },
  },
  {
    name: 'limits: a subscription has ten requests open at most',
    file: 'server/src/features/outgoing/webhooks/rules.ts',
    snippet: 'export const MAX_IN_FLIGHT_PER_SUBSCRIPTION = 10',
    replacement: 'export const MAX_IN_FLIGHT_PER_SUBSCRIPTION = 11',
    test: {
      file: 'server/src/features/outgoing/webhooks/webhooks.test.ts',
      title: 'has at most ten requests in flight per subscription',
    },
  },
  {
    name: 'limits: Retry-After of a receiver is capped at a day',
    file: 'server/src/features/outgoing/webhooks/rules.ts',
    snippet: 'Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)',
    replacement: '(retryAfterMs ?? 0)',
    test: {
      file: 'server/src/features/outgoing/webhooks/rules.test.ts',
      title: 'a receiver may extend the wait up to a day, but not shorten it',
    },
  },
  {
    name: 'channels: a platform counts a payment once, however many campaigns share it',
    file: 'server/src/features/insights/reports/channels/report.ts',
    snippet:
      'credit: distinct === undefined ? credit : withDistinctCounts(credit, distinct.get(platform) ?? []),',
    replacement: 'credit,',
    test: {
      file: 'server/src/features/insights/reports/channels/one-rule.test.ts',
      title: 'a platform counts a payment shared by two campaigns once under fractional models',
    },
  },
  {
    name: 'erasures: money stays in the channel of its override',
    file: 'server/src/features/facts/events/erasure-rules.ts',
    snippet: 'return { ...touch, ...noTraces, ...keptSource }',
    replacement: 'return { ...touch, ...noTraces }',
    test: {
      file: 'server/src/features/insights/reports/channels/one-rule.test.ts',
      title: 'an erasure keeps money in the overridden channel until the override is removed',
    },
  },
]
