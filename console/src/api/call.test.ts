import { expect, it } from 'vitest'
import { withoutField } from './call.ts'

it.each([
  ['amount: must be more than 0.', 'Amount must be more than 0.'],
  ['customer_id: Invalid UUID.', 'Customer id is not valid.'],
  ['url: The address is not public.', 'The address is not public.'],
  ['The current password is wrong.', 'The current password is wrong.'],
])('a refusal that says "%s" is read as a sentence', (said, shown) => {
  expect(withoutField(said)).toBe(shown)
})
