/**
 * Requests while the coordinator of a distributed database is unavailable; on a real cluster:
 * server/test/citus/lost-coordinator.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { inProcessFetch } from '../../../test/in-process-fetch.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../test/make.ts'
import { createApi } from '../../api.ts'
import { forgetCredentials } from '../access/authenticate.ts'
import { openDatabase } from '../db/database.ts'

const BURST = 8

describe('without the coordinator of a distributed database', () => {
  const away = openDatabase({ connectionString: 'postgres://whence@127.0.0.1:1/none' })
  let app: TestApp
  let owner: Person
  let profileId: string
  let key: string
  let stranger: string
  const opened: { close(): Promise<void> }[] = []

  /** A worker with all data, and a coordinator that is available or not. */
  function serviceWith(coordinator: 'here' | 'away') {
    const db = coordinator === 'here' ? app.service.db : away.db
    const main = { name: 'coordinator', db, backgroundDb: db, shards: null }
    const nodes = {
      ...app.service.nodes,
      isDistributed: true,
      main,
      list: () => [main, app.service.nodes.main],
    }
    const service = { ...app.service, db, backgroundDb: db, nodes }
    const api = createApi(service)
    opened.push(api)
    const fetch = inProcessFetch(api.http)
    const request = async (path: string, token: string, sent?: object) => {
      forgetCredentials(service)
      const reply = await fetch(`${app.baseUrl}/api/v1${path}`, {
        method: sent === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      })
      return { status: reply.status, headers: reply.headers, body: await reply.json() }
    }
    return request
  }

  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: String(BURST) })
    owner = await makePerson(app)
    profileId = await makeProfile(owner, await makeWorkspace(owner))
    key = await makeKey(app, profileId, [
      'analytics:read',
      'campaigns:read',
      'conversions:read',
      'events:write',
      'tracking:write',
    ])
    stranger = await makeKey(app, profileId, ['analytics:read'])
    // The copy of the key on the profile's node.
    await app.pool.query(
      `insert into key_copies (profile_id, id, kind, lookup_hash, workspace_id, user_id, app_id, authorization_id,
         grant_name, scopes, created_at, expires_at, revoked_at)
       select profile_id, id, kind, lookup_hash, workspace_id, user_id, app_id, authorization_id, grant_name, scopes,
         created_at, expires_at, revoked_at from credentials where profile_id = $1 and kind = 'api_key'`,
      [profileId],
    )
    await serviceWith('here')('/goals', key)
  })
  afterAll(async () => {
    for (const api of opened) await api.close()
    await app.close()
    await away.close()
  })

  const report = '/reports/overview?date_from=2026-01-01&date_to=2026-01-31'

  it('a cached key reads reports with the same figures', async () => {
    const before = await serviceWith('here')(report, key)
    const without = await serviceWith('away')(report, key)
    expect([before.status, without.status]).toEqual([200, 200])
    expect((without.body as { data: unknown }).data).toEqual((before.body as { data: unknown }).data)
  })

  it('events are accepted', async () => {
    const event = { event_name: 'lead_created', idempotency_key: 'without' }
    expect(await serviceWith('away')('/events', key, event)).toMatchObject({
      status: 202,
      body: { data: { status: 'accepted' } },
    })
  })

  it('writes, person-level reads and unknown keys get a retryable error', async () => {
    const request = serviceWith('away')
    for (const response of [
      await request('/goals', key, { name: 'Signed' }),
      await request(`${report}&profile_id=${profileId}`, owner.token),
      await request(report, stranger),
    ]) {
      expect(response).toMatchObject({ status: 503, body: { error: { code: 'database_unavailable' } } })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('the rate limit applies, counted per process', async () => {
    const request = serviceWith('away')
    const statuses: number[] = []
    for (let count = 0; count <= BURST; count++) statuses.push((await request('/goals', key)).status)
    expect(statuses).toEqual([...Array(BURST).fill(200), 429])
  })

  it('a limit of the profile applies too, counted per process', async () => {
    const request = serviceWith('away')
    const path = '/attribution/what-if?date_from=2026-01-01&date_to=2026-01-31&model=linear'
    const statuses: number[] = []
    for (let count = 0; count < 7; count++) statuses.push((await request(path, key)).status)
    expect(statuses).toEqual([...Array(6).fill(200), 429])
  })

  it('a revoked key is refused: its copy is revoked too', async () => {
    await app.pool.query('update key_copies set revoked_at = now() where profile_id = $1', [profileId])
    // Without the copy it would have to be looked up on the coordinator.
    expect((await serviceWith('away')(report, key)).status).toBe(503)
  })
})
