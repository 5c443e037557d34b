import { expect, it } from 'vitest'
import { readStoreInstall } from './search.ts'

it('keeps the signed query string of a store install, also through the sign-in', () => {
  const search = { hmac: 'ab12', host: 'YWRt/aW4=', shop: 'harbor.myshopify.com', timestamp: 1337178173 }
  const { install } = readStoreInstall(search)
  expect(Object.fromEntries(new URLSearchParams(install))).toEqual({ ...search, timestamp: '1337178173' })
  expect(readStoreInstall({ install })).toEqual({ install })
  expect(readStoreInstall({ shop: 'harbor.myshopify.com' })).toEqual({ install: undefined })
})
