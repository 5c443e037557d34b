import { z } from 'zod'
import { isDay } from '../../../platform/contract/dates.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Currency, CurrencyCode, UpdatedAt } from '../../../platform/contract/fields.ts'

const tag = 'attribution'
const day = z.string().refine(isDay, 'must be a day such as 2026-01-31')

export const ExchangeRate = z.object({
  currency: CurrencyCode,
  day: z.string().describe('First day on which the rate applies'),
  target: z.string().describe('Reporting currency that the rate was entered for'),
  rate: z.string().describe('Units of `target` for one unit of `currency`'),
  updated_at: UpdatedAt,
})

export const listExchangeRates = endpoint({
  name: 'listExchangeRates',
  method: 'GET',
  path: '/quality/exchange-rates',
  summary: 'List exchange rates that were entered by hand for the profile',
  description:
    'Newest day first. Reference rates are not listed. `meta.fx_missing_rates` of a report lists the missing rates.',
  tag,
  noPage: 'api_only',
  access: { kind: 'profile', scopes: ['tracking:read'] },
  reply: z.array(ExchangeRate),
})

export const saveExchangeRate = endpoint({
  name: 'saveExchangeRate',
  method: 'PUT',
  path: '/quality/exchange-rates',
  summary: 'Enter an exchange rate and convert the amounts that lacked one',
  description:
    'Applies on its day and for up to 7 days after it, until there is a newer rate. Takes precedence over the reference rate of the same day. Payments, refunds and spend of those days are converted again in the background. Entering the same rate again has no effect.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    currency: Currency,
    day: day.describe('Day, YYYY-MM-DD, in the time zone of the profile'),
    rate: z
      .string()
      .regex(/^\d{1,9}(?:\.\d{1,12})?$/, 'must be a positive decimal number such as 1.0842')
      .refine((text) => Number(text) > 0, 'must be more than 0')
      .describe('Units of the reporting currency for one unit of `currency`'),
  }),
  reply: ExchangeRate,
  errors: ['invalid_state'],
  example: { body: { currency: 'GBP', day: '2026-05-04', rate: '1.1512' } },
})

export const deleteExchangeRate = endpoint({
  name: 'deleteExchangeRate',
  method: 'DELETE',
  path: '/quality/exchange-rates/{currency}/{day}',
  summary: 'Remove an exchange rate that was entered by hand',
  description:
    'Its amounts are converted with the reference rate. Without a reference rate, they are reported as missing a rate again.',
  tag,
  noPage: 'api_only',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  params: z.object({
    currency: Currency,
    day: day.describe('Day, YYYY-MM-DD, in the time zone of the profile'),
  }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
