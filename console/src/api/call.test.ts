import { WhenceError } from '@whence/sdk'
import { expect, it } from 'vitest'
import { changedNothing, isRefusal, messageOf } from './call.ts'

const refusal = (error: ConstructorParameters<typeof WhenceError>[1], status = 422) =>
  new WhenceError(status, { request_id: 'req_1', ...error })

it.each([
  [{ field: 'amount', rule: 'too_small', problem: 'must be more than 0.' }, 'Amount must be more than 0.'],
  [{ field: 'name', rule: 'required', problem: 'is required.' }, 'Name is missing.'],
  [
    { field: 'erasure_id', rule: 'uuid', problem: 'must be a UUID.' },
    'This is not a whole id. Copy it again.',
  ],
  [{ field: 'amount', problem: 'must be at most the payment.' }, 'Amount must be at most the payment.'],
  [{ field: 'shop', problem: 'give the store’s own domain.' }, 'Shop: give the store’s own domain.'],
  [{ field: 'url', problem: 'The address is not public.' }, 'Address: The address is not public.'],
  [{ field: 'date_from', problem: 'after the last day.' }, 'First day: after the last day.'],
  [{ field: 'filter.date_to', problem: 'no day.' }, 'Filter, last day: no day.'],
  [{ field: 'rows.4.ad_id', rule: 'invalid_type', problem: 'must be text.' }, 'Row 5, ad id must be text.'],
  [{ field: 'rows.0', problem: 'more fields than columns.' }, 'Row 1: more fields than columns.'],
])('a refusal of %o is shown as "%s"', (body, shown) => {
  expect(messageOf(refusal({ message: 'for the API', ...body }))).toBe(shown)
})

it('shows the message without the hint for callers of the API', () => {
  const body = { message: 'No such campaign.', hint: 'Take the id from a GET /campaigns row.' }
  expect(messageOf(refusal(body, 404))).toBe('No such campaign.')
})

it('has its own words for an answer without any', () => {
  const words = 'Your role does not allow this. Ask an admin of the workspace.'
  expect(messageOf(refusal({ message: '' }, 403))).toBe(words)
  expect(messageOf(new WhenceError(403, {}))).toBe(words)
})

it('an answer of a proxy is no refusal: the service may have done the work', () => {
  expect(isRefusal(refusal({ code: 'invalid_state' }, 409))).toBe(true)
  expect(isRefusal(new WhenceError(502, {}))).toBe(false)
  expect(changedNothing(refusal({ code: 'invalid_state' }, 409))).toBe(true)
  expect(changedNothing(refusal({ code: 'idempotency_key_in_flight' }, 409))).toBe(false)
  expect(changedNothing(refusal({ code: 'internal_error' }, 500))).toBe(false)
})
