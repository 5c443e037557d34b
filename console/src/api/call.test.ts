import { expect, it } from 'vitest'
import { withoutField, withoutRoutes } from './call.ts'

it.each([
  ['amount: must be more than 0.', 'Amount must be more than 0.'],
  ['customer_id: Invalid UUID.', 'Customer id is not valid.'],
  ['url: must be a web address.', 'Address must be a web address.'],
  ['shop: give the store’s own domain.', 'Give the store’s own domain.'],
  ['erasure_id: must be a UUID.', 'This is not a whole id. Copy it again.'],
  ['url: The address is not public.', 'The address is not public.'],
  ['The current password is wrong.', 'The current password is wrong.'],
])('a refusal that says "%s" is read as a sentence', (said, shown) => {
  expect(withoutField(said)).toBe(shown)
})

it.each([
  ['No such campaign; take the id from a GET /campaigns row.', 'No such campaign.'],
  ['The current password is wrong.', 'The current password is wrong.'],
  ['Wait 5.5 seconds; then try again.', 'Wait 5.5 seconds; then try again.'],
  ['Name the profile: POST /x?profile_id=… does it.', 'Name the profile.'],
  ['Use POST /events instead.', ''],
])('a refusal that says "%s" speaks to people as "%s"', (said, shown) => {
  expect(withoutRoutes(said)).toBe(shown)
})
