/** Phone numbers without a country code, from the event to the customer. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { listProfiles, updateProfile } from '../../account/profiles/contract.ts'
import { listCustomers } from '../../insights/customers/contract.ts'
import { sendEvent } from '../events/contract.ts'

let app: TestApp
let owner: Awaited<ReturnType<typeof makePerson>>
let profileId: string
let call: ReturnType<TestApp['as']>

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  profileId = await makeProfile(owner, await makeWorkspace(owner))
  call = app.as(await makeKey(app, profileId, ['events:write', 'customers:read']))
})
afterAll(() => app.close())

const send = async (key: string, traits: Record<string, string>) => {
  await call(sendEvent, {
    body: { event_name: 'lead_created', idempotency_key: key, user_traits: traits },
  })
  await app.service.processor.settled(profileId)
}
const customersBy = async (search: string) =>
  (await call(listCustomers, { query: { search } })).data.map((row) => row.customer_id)

it('a number is parsed for the country of the profile, or for the one that is sent with it', async () => {
  await send('home', { external_id: 'ana', phone: '600 111 222' })
  await send('abroad', { external_id: 'bia', phone: '(31) 99688-3193', country: 'br' })
  expect(await customersBy('+34600111222')).toEqual(await customersBy('ana'))
  expect(await customersBy('+55 31 99688 3193')).toEqual(await customersBy('bia'))
  expect(await customersBy('600111222')).toHaveLength(1)
})

it('a number without a known country is stored as typed and is no identifier', async () => {
  await send('dutch', { external_id: 'daan', phone: '+31996883193' })
  await send('typed', { external_id: 'bruno', phone: '(31) 99688-3193' })
  expect(await customersBy('daan')).not.toEqual(await customersBy('bruno'))
  const { rows } = await app.pool.query(
    `select value from identity_traits where profile_id = $1 and trait = 'phone' order by value`,
    [profileId],
  )
  expect(rows.map((row) => row.value)).toEqual([
    '(31) 99688-3193',
    '(31) 99688-3193',
    '+31996883193',
    '600 111 222',
  ])
})

it('the country is derived from time zone and currency until a member sets it', async () => {
  const countryNow = async () => {
    const { data } = await owner.call(listProfiles, { query: {} })
    return data.find((profile) => profile.id === profileId)!.country
  }
  const params = { profileId }
  expect(await countryNow()).toBe('ES')
  expect((await owner.call(updateProfile, { params, body: { country: 'br' } })).data.country).toBe('BR')
  await send('later', { external_id: 'carla', phone: '(31) 99777-1234' })
  expect(await customersBy('+5531997771234')).toEqual(await customersBy('carla'))
  expect((await owner.call(updateProfile, { params, body: { country: null } })).data.country).toBeNull()
  expect(await countryNow()).toBeNull()
})
