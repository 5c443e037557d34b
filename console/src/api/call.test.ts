import { WhenceError } from '@whence/sdk'
import { expect, it } from 'vitest'
import { changedNothing, isApiError, messageOf } from './call.ts'

const apiError = (error: ConstructorParameters<typeof WhenceError>[1], status = 422) =>
  new WhenceError(status, { request_id: 'req_1', ...error })

it.each([
  [{ field: 'amount', rule: 'too_small', problem: 'must be more than 0.' }, 'Amount must be more than 0.'],
  [{ field: 'name', rule: 'required', problem: 'is required.' }, 'Name is missing.'],
  [
    { field: 'erasure_id', rule: 'uuid', problem: 'must be a UUID.' },
    'This id is incomplete. Copy it again.',
  ],
  [{ field: 'amount', problem: 'must be at most the payment.' }, 'Amount must be at most the payment.'],
  [{ field: 'shop', problem: 'give the store’s own domain.' }, 'Shop: give the store’s own domain.'],
  [{ field: 'url', problem: 'The address is not public.' }, 'Address: The address is not public.'],
  [{ field: 'date_from', problem: 'after the last day.' }, 'First day: after the last day.'],
  [{ field: 'filter.date_to', problem: 'no day.' }, 'Filter, last day: no day.'],
  [{ field: 'rows.4.ad_id', rule: 'invalid_type', problem: 'must be text.' }, 'Row 5, ad id must be text.'],
  [{ field: 'rows.0', problem: 'more fields than columns.' }, 'Row 1: more fields than columns.'],
])('an error of %o is shown as "%s"', (body, message) => {
  expect(messageOf(apiError({ message: 'for the API', ...body }))).toBe(message)
})

it('shows the message without the hint for callers of the API', () => {
  const body = { message: 'No such campaign.', hint: 'Take the id from a GET /campaigns row.' }
  expect(messageOf(apiError(body, 404))).toBe('No such campaign.')
})

it('has a default text for a response without a message', () => {
  const defaultText = 'Your role does not allow this. Ask an admin of the workspace.'
  expect(messageOf(apiError({ message: '' }, 403))).toBe(defaultText)
  expect(messageOf(new WhenceError(403, {}))).toBe(defaultText)
})

it('a proxy’s error response is not an API error: the server may have done the work', () => {
  expect(isApiError(apiError({ code: 'invalid_state' }, 409))).toBe(true)
  expect(isApiError(new WhenceError(502, {}))).toBe(false)
  expect(changedNothing(apiError({ code: 'invalid_state' }, 409))).toBe(true)
  expect(changedNothing(apiError({ code: 'idempotency_key_in_flight' }, 409))).toBe(false)
  expect(changedNothing(apiError({ code: 'internal_error' }, 500))).toBe(false)
})
