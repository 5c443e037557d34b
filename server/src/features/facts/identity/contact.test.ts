import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { loadContacts } from './contact.ts'

let app: TestApp
let profileId: string
beforeAll(async () => {
  ;({ app, profileId } = await startTestProfile())
})
afterAll(() => app.close())

/** A customer with one identifier per list of traits, each `trait value day`. */
async function makeCustomer(traitsOfIdentifiers: string[][]): Promise<string[]> {
  const ids = traitsOfIdentifiers.map(() => uuidv7())
  for (const [index, id] of ids.entries()) {
    await app.pool.query(
      'insert into identifiers (profile_id, id, kind, customer_id) values ($1, $2, 0, $3)',
      [profileId, id, ids[0]],
    )
    for (const line of traitsOfIdentifiers[index]!) {
      const [trait, value, day] = line.split(' ')
      await app.pool.query(
        `insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [profileId, id, trait, uuidv7(), value, `2026-01-${day}T00:00:00Z`],
      )
    }
  }
  return ids
}

it('a contact has the latest value of each trait over all identifiers', async () => {
  const [root, other] = await makeCustomer([
    ['email old@example.com 01', 'email newest@example.com 09', 'first_name Ana 03'],
    ['email newer@example.com 05', 'first_name Anna 04', 'external_id 77 06'],
  ])
  const contact = { first_name: 'Anna', last_name: null, email: 'newest@example.com', phone: null }
  expect(await loadContacts(app.service.db, profileId, [root!, other!])).toEqual(
    new Map([
      [root, contact],
      [other, contact],
    ]),
  )
})

it('the latest value of an identifier wins, independent of the insertion order', async () => {
  const [only] = await makeCustomer([
    ['email newest@example.com 09', 'email old@example.com 01', 'external_id 77 06', 'phone +34600000001 02'],
  ])
  expect((await loadContacts(app.service.db, profileId, [only!])).get(only!)).toEqual({
    first_name: null,
    last_name: null,
    email: 'newest@example.com',
    phone: '+34600000001',
  })
})

it('an erased or unknown person, or one of another profile, is not found', async () => {
  const [erased] = await makeCustomer([['email gone@example.com 01']])
  const [silent] = await makeCustomer([[]])
  const [withPhone] = await makeCustomer([['phone +34600000001 01']])
  await app.pool.query('insert into erased_customers (profile_id, id, erased_at) values ($1, $2, now())', [
    profileId,
    erased,
  ])
  expect([...(await loadContacts(app.service.db, profileId, [erased!, silent!, withPhone!])).keys()]).toEqual(
    [withPhone],
  )
  expect(await loadContacts(app.service.db, uuidv7(), [withPhone!])).toEqual(new Map())
})
