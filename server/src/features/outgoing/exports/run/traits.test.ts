import { expect, it } from 'vitest'
import { addressOf } from './traits.ts'

const trait = (event_id: string, name: string, value: string) => ({
  identifier_id: 'i',
  event_id,
  trait: name,
  value,
})

it('the parts of a name, and those of an address, come from one event', () => {
  const traits = [
    trait('e3', 'email', 'ana@example.com'),
    trait('e2', 'first_name', 'Ana'),
    trait('e1', 'first_name', 'A.'),
    trait('e1', 'last_name', 'Lee'),
    trait('e1', 'postal_code', ' 94045 '),
    trait('e1', 'country', 'us'),
    trait('e0', 'city', 'Vigo'),
  ]
  expect(addressOf(traits)).toEqual({
    firstName: 'Ana',
    lastName: null,
    city: null,
    region: null,
    postalCode: '94045',
    country: 'US',
  })
  expect(addressOf([trait('e3', 'email', 'ana@example.com')])).toBeNull()
})
