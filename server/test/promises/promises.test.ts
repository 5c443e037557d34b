import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOAuthApp } from '../../src/features/account/apps/contract.ts'
import { listMembers, removeMember } from '../../src/features/account/members/contract.ts'
import { activateWebPixel } from '../../src/features/sources/manual-stores/contract.ts'
import { changePassword } from '../../src/platform/access/contract.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makePerson, makeWorkspace, PASSWORD, refusalOf } from '../make.ts'
import { makeShop } from '../make-shop.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { promises, promisesOf } from './promises.ts'

const BREACHED = 'correct horse battery staple'
const root = join(import.meta.dirname, '../../..')

let app: TestApp
let corpus: Receiver
beforeAll(async () => {
  const hash = createHash('sha1').update(BREACHED).digest('hex').toUpperCase()
  corpus = await startReceiver(({ path }, reply) => {
    const isListed = path === `/range/${hash.slice(0, 5)}`
    reply.writeHead(200).end(isListed ? `${'0'.repeat(35)}:3\r\n${hash.slice(5)}:12\r\n` : '')
  })
  app = await startTestApp({ BREACH_RANGE_URL: `${corpus.url}/range` })
})
afterAll(async () => {
  await app.close()
  await corpus.close()
})

it('every API text with "must" or "cannot" has a test that verifies it', () => {
  const document: unknown = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  expect(promisesOf(document).sort(), 'add the sentence to server/test/promises/promises.ts').toEqual(
    Object.keys(promises).sort(),
  )
  for (const { file, title } of Object.values(promises))
    expect(readFileSync(join(root, file), 'utf8'), `${file}: ${title}`).toContain(title)
})

it('finds such sentences in descriptions, summaries and table cells', () => {
  const description = 'Fine. A key must be new; it cannot repeat. | `a` | one that must be |'
  expect(promisesOf({ a: [{ description }, { summary: 'What can’t be' }], must: 'not this' })).toEqual([
    'A key must be new; it cannot repeat.',
    'one that must be',
    'What can’t be',
  ])
})

it('a new password is long enough and in no public breach corpus', async () => {
  const person = await makePerson(app)
  const change = (new_password: string) =>
    person.call(changePassword, { body: { current_password: PASSWORD, new_password } })
  expect(await refusalOf(change('elevenchars'))).toMatchObject({ status: 422, code: 'weak_password' })
  expect(await refusalOf(change(BREACHED))).toMatchObject({ status: 422, code: 'compromised_password' })
  await change('another horse battery staple')
  // Only the first five characters of a hash are sent.
  expect(corpus.requests.every(({ path, body }) => /^\/range\/[0-9A-F]{5}$/.test(path) && body === '')).toBe(
    true,
  )
})

it('the last owner is not removed, by anyone', async () => {
  const owner = await makePerson(app)
  const workspaceId = await makeWorkspace(owner)
  const admin = await makePerson(app)
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: admin.id, role: 'admin', created_at: new Date() })
    .execute()
  const params = { workspaceId, userId: owner.id }
  const lastOwner = { status: 409, code: 'invalid_state', reason: 'last_owner' }
  expect(await refusalOf(owner.call(removeMember, { params }))).toMatchObject(lastOwner)
  expect((await refusalOf(admin.call(removeMember, { params }))).status).toBeGreaterThanOrEqual(403)
  const { data } = await owner.call(listMembers, { params: { workspaceId } })
  expect(data.map(({ role }) => role).sort()).toEqual(['admin', 'owner'])
})

it('redirect URIs are https, or loopback', async () => {
  const owner = await makePerson(app)
  const workspaceId = await makeWorkspace(owner, 'agency')
  const register = (uri: string) =>
    owner.call(createOAuthApp, {
      params: { workspaceId },
      body: {
        name: 'Suite',
        redirect_uris: [uri],
        allowed_return_origins: ['https://suite.example'],
        allowed_scopes: ['analytics:read'],
      },
    })
  for (const uri of [
    'http://suite.example/cb',
    'http://127.0.0.1.suite.example/cb',
    'ftp://localhost/cb',
    'cb',
  ])
    expect([uri, (await refusalOf(register(uri))).status]).toEqual([uri, 422])
  for (const uri of ['https://suite.example/cb', 'http://localhost:8080/cb', 'http://127.0.0.1/cb'])
    expect((await register(uri)).data.redirect_uris).toEqual([uri])
})

it('a pixel is activated only if the connection is live', async () => {
  const shop = await makeShop(app)
  const { id } = await shop.connected('storefront')
  expect((await shop.call(activateWebPixel)).data.web_pixel_id).not.toBe('')
  for (const status of ['reconnect_required', 'revoked']) {
    await app.pool.query('update connections set status = $2 where id = $1', [id, status])
    const refusal = await refusalOf(shop.call(activateWebPixel))
    expect([status, [404, 409].includes(refusal.status)]).toEqual([status, true])
  }
})
