import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { archiveWorkspace } from '../workspaces/contract.ts'
import { getBranding, putBranding, removeLogo, uploadLogo } from './contract.ts'

let app: TestApp
let owner: Person
let params: { workspaceId: string }
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  params = { workspaceId: await makeWorkspace(owner) }
})
afterAll(() => app.close())

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const upload = (contentType: string, bytes: Uint8Array<ArrayBuffer> | string) =>
  owner.call(uploadLogo, { params, raw: { contentType, bytes } })

/** Loads the logo's path from the test server, whatever the configured base URL is. */
const load = (logoUrl: string | null) => fetch(`${app.baseUrl}${new URL(logoUrl!).pathname}`)

it('replaces the branding and keeps the logo', async () => {
  expect((await owner.call(getBranding, { params })).data).toMatchObject({
    display_name: null,
    logo_url: null,
  })
  const withLogo = await upload('image/png', png)
  const { data } = await owner.call(putBranding, {
    params,
    body: { display_name: 'Acme', primary_color: '#1A2b3c' },
  })
  expect(data).toMatchObject({ display_name: 'Acme', primary_color: '#1A2b3c', accent_color: null })
  expect(data.logo_url).toBe(withLogo.data.logo_url)
  const bad = owner.call(putBranding, { params, body: { primary_color: 'red' } })
  expect(await refusalOf(bad)).toMatchObject({ status: 422, code: 'validation_error' })
})

it('serves the logo publicly, with the type of its bytes', async () => {
  const { data } = await upload('image/jpeg', png)
  const reply = await load(data.logo_url)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('image/png')
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(new Uint8Array(await reply.arrayBuffer())).toEqual(png)
})

it('accepts a form with one file', async () => {
  const form = new FormData()
  form.set('note', 'text is ignored')
  form.set('file', new Blob([png, new Uint8Array([9])]), 'logo.png')
  const encoded = new Response(form)
  const contentType = encoded.headers.get('content-type')!
  const { data } = await upload(contentType, new Uint8Array(await encoded.arrayBuffer()))
  expect((await (await load(data.logo_url)).arrayBuffer()).byteLength).toBe(png.length + 1)
})

it.each([
  ['image/png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 400, 'invalid_content'],
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', 400, 'invalid_content'],
  ['image/png', '', 400, 'invalid_content'],
  ['multipart/form-data', 'no boundary', 400, 'invalid_content'],
  ['multipart/form-data; boundary=x', '--x--\r\n', 400, 'invalid_content'],
  ['text/html', 'x', 400, 'invalid_content'],
])('refuses %s with the body %j', async (contentType, body, status, code) => {
  expect(await refusalOf(upload(contentType, body))).toMatchObject({ status, code })
})

it('refuses an image over 5 MiB', async () => {
  const big = new Uint8Array(5 * 1024 * 1024 + 1)
  big.set(png)
  expect(await refusalOf(upload('image/png', big))).toMatchObject({ status: 413, code: 'payload_too_large' })
})

it('a removed logo, and that of an archived workspace, returns 404', async () => {
  const first = await upload('image/png', png)
  await owner.call(removeLogo, { params })
  expect((await owner.call(getBranding, { params })).data.logo_url).toBeNull()
  expect((await load(first.data.logo_url)).status).toBe(404)
  const second = await upload('image/png', png)
  expect((await load(second.data.logo_url)).status).toBe(200)
  await owner.call(archiveWorkspace, { params })
  expect((await load(second.data.logo_url)).status).toBe(404)
})
