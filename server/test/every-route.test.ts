/**
 * Each route with each kind of credential: the exact refusal, no change of state,
 * and the same response for another tenant's id as for an unknown id.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { createApiKey, createUserToken, revokeApiKey } from '../src/features/account/api-keys/contract.ts'
import { scopes, scopesOfRole } from '../src/platform/contract/access.ts'
import type { Access, Endpoint } from '../src/platform/contract/endpoint.ts'
import { inputSchema } from '../src/platform/contract/examples.ts'
import { isUuid } from '../src/platform/contract/ids.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeKey, makePerson, type Person } from './make.ts'
import { plantRows, stateOf } from './rows.ts'
import { idParams, type Sample, sampleOf, UNKNOWN_ID } from './samples.ts'
import { representativesOf } from './signatures.ts'
import { makeTenant, send, type Tenant, withoutRequestId } from './tenants.ts'

let app: TestApp
let victim: Tenant
let attacker: Tenant
let viewer: Person
let readOnlyToken: string
/** With all read scopes and no write scopes. */
let reader: string
let readingKey: string
/** With all scopes, of a person with the role viewer. */
let viewerToken: string
let revokedKey: string
/** Ids of the victim's rows, each with its tables. Nearly all tables share one id, so one request tries all of them. */
let victimIds: Map<string, string[]>

beforeAll(async () => {
  app = await startTestApp()
  victim = await makeTenant(app)
  attacker = await makeTenant(app)
  viewer = await makePerson(app, 'Viewer')
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: victim.workspaceId, user_id: viewer.id, role: 'viewer', created_at: new Date() })
    .execute()
  const token = await victim.owner.call(createUserToken, { body: { name: 'Reader' } })
  readOnlyToken = token.data.token
  const reading = scopes.filter((scope) => scope.endsWith(':read') || scope === 'mcp:read_pii')
  const reads = await victim.owner.call(createUserToken, { body: { name: 'Reads all', scopes: reading } })
  reader = reads.data.token
  readingKey = await makeKey(app, victim.profileId, reading)
  const all = await viewer.call(createUserToken, { body: { name: 'All', scopes: [...scopes] } })
  viewerToken = all.data.token
  const params = { workspaceId: victim.workspaceId }
  const key = await victim.owner.call(createApiKey, {
    params,
    body: { profile_id: victim.profileId, name: 'Revoked' },
  })
  await victim.owner.call(revokeApiKey, { params: { ...params, id: key.data.id }, body: {} })
  revokedKey = key.data.key
  const { planted } = await plantRows(app.pool, victim.profileId, crypto.randomUUID())
  const ids = Object.entries({ ...planted, ...(await idsInReferenceTables()) })
  victimIds = new Map()
  for (const [table, id] of ids) if (isUuid(id)) victimIds.set(id, [...(victimIds.get(id) ?? []), table])
})
afterAll(() => app.close())

/** Ids of the victim's rows in reference tables. */
async function idsInReferenceTables(): Promise<Record<string, string>> {
  const { rows } = await app.pool.query<{ name: string; id: string }>(
    `select 'credentials' as name, id from credentials where profile_id = $1
     union all select 'user_tokens', id from credentials where user_id = $2 and kind = 'user_token'
     union all select 'apps', id from apps where workspace_id = $3
     union all select 'profiles', $1::uuid union all select 'users', $2::uuid union all select 'workspaces', $3::uuid`,
    [victim.profileId, victim.owner.id, victim.workspaceId],
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.id]))
}

const entries: Endpoint[] = routes.map((route) => route.entry)
const guarded = entries.filter((entry) => entry.access.kind !== 'public')
/** One route of each combination of contract members is tried with every credential, the others with the likeliest. */
const representatives = representativesOf(guarded)
const casesOf = (list: Endpoint[]) => list.map((entry) => [`${entry.method} ${entry.path}`, entry] as const)

/** A block of requests that are all refused and may write only accounting data. */
function refusing(title: string, tests: () => void): void {
  describe(title, () => {
    let before: Record<string, string>
    beforeAll(async () => {
      before = await stateOf(app.pool)
    })
    afterAll(async () => {
      expect(await stateOf(app.pool)).toEqual(before)
    })
    tests()
  })
}

/** A valid request of the attacker, with the scoping id in its place. */
function ownSample(entry: Endpoint, tenant: Tenant): Sample {
  const sample = sampleOf(entry)
  if ('workspaceId' in sample.params)
    sample.params.workspaceId = entry.access.kind === 'app' ? tenant.appWorkspaceId : tenant.workspaceId
  return sample
}

it('a few combinations of contract members stand for all routes', () => {
  expect(representatives.size).toBeGreaterThan(40)
  expect(representatives.size).toBeLessThan(guarded.length / 2)
})

it('only the listed routes are public', () => {
  const open = entries.filter((entry) => entry.access.kind === 'public' && entry.retired === undefined)
  expect(open.map((entry) => entry.name).sort()).toEqual([
    'finishSignIn',
    'getAuthOptions',
    'offerPasskey',
    'requestPasswordReset',
    'requestSignInLink',
    'resetPassword',
    'signIn',
    'signInByLink',
    'signInByPasskey',
    'signUp',
  ])
})

refusing('a credential that is none, or of the wrong kind, is 401 everywhere', () => {
  it.each(casesOf(guarded))('%s', async (_, entry) => {
    const kind = entry.access.kind
    const takes = {
      key: kind === 'profile' || kind === 'bearer',
      session: kind !== 'app',
      token:
        kind !== 'app' && !(kind === 'user' && 'tokens' in entry.access && entry.access.tokens === false),
      app: kind === 'app' || kind === 'user_or_app' || kind === 'workspace_or_app',
    }
    const credentials: Record<string, string | undefined> = {
      none: undefined,
      garbage: 'Bearer garbage',
      'wrong scheme': `Digest ${victim.key}`,
      'revoked key': `Bearer ${revokedKey}`,
      'app secret as bearer': `Bearer ${victim.partner.secret}`,
      'wrong app secret': `Basic ${Buffer.from(`${victim.partner.clientId}:nope`).toString('base64')}`,
      ...(takes.key ? {} : { key: `Bearer ${victim.key}` }),
      ...(takes.session ? {} : { session: `Bearer ${victim.owner.token}` }),
      ...(takes.token ? {} : { token: `Bearer ${victim.userToken}` }),
      ...(takes.app ? {} : { app: victim.partner.basic }),
    }
    const answers: Record<string, unknown> = {}
    const tried = Object.entries(credentials).filter(
      ([name]) => representatives.has(entry) || name === 'none' || name === 'revoked key',
    )
    for (const [name, authorization] of tried) {
      const { status, code, headers } = await send(app, entry, authorization, ownSample(entry, victim))
      answers[name] = [status, code, headers.has('www-authenticate')]
    }
    const expected = tried.map(([name]) => [name, [401, 'unauthorized', true]])
    expect(answers).toEqual(Object.fromEntries(expected))
  })
})

const ofProfile = guarded.filter((entry) => entry.access.kind === 'profile')

refusing('a person names the profile, and only one they reach', () => {
  it.each(casesOf(ofProfile))('%s', async (_, entry) => {
    const sample = sampleOf(entry)
    const as = (profileId: string | undefined, authorization: string) =>
      send(app, entry, authorization, { ...sample, query: { ...sample.query, profile_id: profileId } })
    const session = `Bearer ${attacker.owner.token}`
    if (representatives.has(entry)) {
      const without = await as(undefined, `Bearer ${attacker.userToken}`)
      expect([without.status, without.code]).toEqual([400, 'invalid_parameter'])
    }
    for (const credential of representatives.has(entry)
      ? [`Bearer ${attacker.userToken}`, session]
      : [session]) {
      const foreign = await as(victim.profileId, credential)
      const unknown = await as(UNKNOWN_ID, credential)
      expect([foreign.status, foreign.code]).toEqual([404, 'not_found'])
      expect(withoutRequestId(foreign.body)).toEqual(withoutRequestId(unknown.body))
    }
  })
})

const scoped = ofProfile.filter(
  ({ access }) => access.kind === 'profile' && (access.scopes.length > 0 || access.anyOf !== undefined),
)

it('every profile route needs a scope', () => {
  expect(ofProfile.filter((entry) => !scoped.includes(entry)).map((entry) => entry.name)).toEqual([])
})

refusing('a key without the scope is 403, and names it', () => {
  it.each(casesOf(scoped))('%s', async (_, entry) => {
    const { status, code, body } = await send(app, entry, `Bearer ${victim.bareKey}`, sampleOf(entry))
    expect([status, code]).toEqual([403, 'insufficient_scope'])
    const access = entry.access as Extract<Access, { kind: 'profile' }>
    const { scopes, anyOf = [] } = access
    expect(body).toMatchObject({ error: { required_scopes: [...scopes, ...anyOf.slice(0, 1)] } })
    const { alternative_scopes: alternatives = [] } = (body as { error: { alternative_scopes?: string[] } })
      .error
    expect(alternatives).toEqual(anyOf)
  })
})

refusing('a person whose role may not learns the role, and no scope to request', () => {
  const viewerScopes: readonly string[] = scopesOfRole('viewer')
  const beyond = scoped.filter(({ access }) => {
    const { scopes, anyOf = [] } = access as Extract<Access, { kind: 'profile' }>
    return (
      !scopes.every((scope) => viewerScopes.includes(scope)) ||
      (anyOf.length > 0 && !anyOf.some((scope) => viewerScopes.includes(scope)))
    )
  })
  it.each(casesOf(beyond))('%s', async (_, entry) => {
    const sample = sampleOf(entry)
    const request = { ...sample, query: { ...sample.query, profile_id: victim.profileId } }
    for (const token of representatives.has(entry) ? [viewer.token, viewerToken] : [viewerToken]) {
      const { status, code, body } = await send(app, entry, `Bearer ${token}`, request)
      expect([status, code]).toEqual([403, 'forbidden'])
      const { error } = body as { error: { message: string; required_scopes?: string[] } }
      expect(error.message).toContain('viewer')
      expect(error.required_scopes).toBeUndefined()
    }
  })
})

const ofWorkspace = guarded.filter((entry) => idParams(entry).includes('workspaceId'))

refusing('a stranger sees no difference between a workspace of others and none', () => {
  it.each(casesOf(ofWorkspace))('%s', async (_, entry) => {
    const session = `Bearer ${attacker.owner.token}`
    const at = (workspaceId: string) =>
      send(app, entry, session, { ...sampleOf(entry), params: { ...sampleOf(entry).params, workspaceId } })
    const foreign = await at(victim.workspaceId)
    expect([foreign.status, foreign.code]).toEqual([404, 'not_found'])
    expect(withoutRequestId(foreign.body)).toEqual(withoutRequestId((await at(UNKNOWN_ID)).body))
  })
})

refusing('a read-only user token and a viewer change nothing in a workspace', () => {
  const writes = ofWorkspace.filter((entry) => entry.method !== 'GET')
  it.each(casesOf(writes))('%s', async (_, entry) => {
    const sample = ownSample(entry, victim)
    const byToken = await send(app, entry, `Bearer ${readOnlyToken}`, sample)
    expect([byToken.status, byToken.code]).toEqual([403, 'insufficient_scope'])
    // A viewer may change personal data of the console, such as private views.
    if ('writes' in entry.access && entry.access.writes === 'own') return
    const byViewer = await send(app, entry, `Bearer ${viewer.token}`, sample)
    expect([byViewer.status, byViewer.code]).toEqual([403, 'forbidden'])
  })
})

refusing('a user token and a key that may only read write nothing', () => {
  const writes = guarded.filter((entry) => entry.method !== 'GET' && entry.access.kind !== 'app')
  it.each(casesOf(writes))('%s', async (_, entry) => {
    const { access } = entry
    const sample = ownSample(entry, victim)
    if ('profileId' in sample.params) sample.params.profileId = victim.profileId
    const { kind } = access
    const query = kind === 'profile' ? { ...sample.query, profile_id: victim.profileId } : sample.query
    const byToken = await send(app, entry, `Bearer ${reader}`, { ...sample, query })
    const isSessionOnly = kind === 'user' && access.tokens === false
    expect([byToken.status, byToken.code]).toEqual(
      isSessionOnly ? [401, 'unauthorized'] : [403, 'insufficient_scope'],
    )
    if (kind !== 'profile' || access.writes === 'own') return
    const byKey = await send(app, entry, `Bearer ${readingKey}`, sample)
    expect([byKey.status, byKey.code]).toEqual([403, 'insufficient_scope'])
  })
})

refusing('a token that reads reports reads no administration of a workspace', () => {
  const readable = [
    'getBranding',
    'getReportingCurrency',
    'getSubscription',
    'getPacing',
    'listWorkspaceTopPerformers',
    'getTopPerformersBrief',
    'listSnapshots',
    'listExperiments',
    'listRecommendations',
    'listCreativePatterns',
    'listCreativeDimensions',
    'listCreativeArchetypes',
  ]
  const reads = ofWorkspace.filter(
    (entry) => entry.method === 'GET' && ['workspace', 'workspace_or_app'].includes(entry.access.kind),
  )
  it.each(casesOf(reads))('%s', async (_, entry) => {
    const { status, code } = await send(app, entry, `Bearer ${readOnlyToken}`, ownSample(entry, victim))
    if (readable.includes(entry.name)) expect(status).toBe(200)
    else expect([status, code]).toEqual([403, 'insufficient_scope'])
  })
})

/** A request that its schemas refuse: an unknown body field, otherwise an invalid path or query parameter. */
function badSample(entry: Endpoint, sample: Sample): Sample | undefined {
  if (entry.method !== 'GET' && entry.rawBody === undefined)
    return { ...sample, body: { no_such_field: true } }
  const isBad = (part: 'params' | 'query', name: string, value: string) =>
    !entry[part].safeParse({ ...sample[part], [name]: value }).success
  for (const part of ['query', 'params'] as const)
    for (const name of Object.keys(inputSchema(entry[part]).properties ?? {}))
      for (const value of ['\u0001', '-1', 'x'.repeat(1000)])
        if (name !== 'workspaceId' && isBad(part, name, value))
          return { ...sample, [part]: { ...sample[part], [name]: value } }
  return undefined
}

refusing('parameters and body are judged before scope and role', () => {
  const judged = guarded.filter((entry) => badSample(entry, sampleOf(entry)) !== undefined)
  it('nearly every route has input that can be invalid', () => {
    expect(judged.length).toBeGreaterThan(guarded.length / 2)
  })
  it.each(casesOf(judged))('%s', async (_, entry) => {
    const sample = badSample(entry, ownSample(entry, victim))!
    const { kind } = entry.access
    const credentials = {
      profile: [`Bearer ${victim.bareKey}`],
      bearer: [`Bearer ${victim.bareKey}`],
      app: [attacker.partner.basic],
    }[kind as string] ?? [`Bearer ${viewer.token}`]
    for (const credential of credentials) {
      const { status, code } = await send(app, entry, credential, sample)
      expect([
        [400, 'invalid_parameter'],
        [400, 'invalid_date_range'],
        [400, 'invalid_request'],
        [422, 'validation_error'],
      ]).toContainEqual([status, code])
    }
  })
})

refusing('an id of another tenant answers exactly like an unknown one', () => {
  const withIds = guarded.filter((entry) => idParams(entry).some((name) => name !== 'workspaceId'))
  it.each(casesOf(withIds))('%s', async (_, entry) => {
    const { access } = entry
    const credential =
      access.kind === 'app'
        ? attacker.partner.basic
        : access.kind === 'profile' || access.kind === 'bearer'
          ? `Bearer ${attacker.key}`
          : `Bearer ${attacker.owner.token}`
    const names = idParams(entry).filter((name) => name !== 'workspaceId')
    const answerFor = async (id: string) => {
      const sample = ownSample(entry, attacker)
      for (const name of names) sample.params[name] = id
      const { status, body } = await send(app, entry, credential, sample)
      return { status, body: withoutRequestId(body) }
    }
    const unknown = await answerFor(UNKNOWN_ID)
    expect(unknown.status).toBeGreaterThanOrEqual(400)
    for (const [id, tables] of victimIds) expect([tables, await answerFor(id)]).toEqual([tables, unknown])
  })
})
