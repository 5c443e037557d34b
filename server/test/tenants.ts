/** Two tenants and a credential of every kind, for the sweeps over all routes. */

import { createUserToken } from '../src/features/account/api-keys/contract.ts'
import { createWorkspace } from '../src/features/account/workspaces/contract.ts'
import { openSession } from '../src/platform/access/session-details.ts'
import { type Scope, scopes } from '../src/platform/contract/access.ts'
import { urlOf } from '../src/platform/contract/client.ts'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'
import type { TestApp } from './app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
} from './make.ts'
import type { Sample } from './samples.ts'

export type Tenant = {
  owner: Person
  workspaceId: string
  profileId: string
  /** With all scopes of a key. */
  key: string
  bareKey: string
  /** A user token with all permissions of its person. */
  userToken: string
  partner: PartnerApp
  /** A workspace and a profile that the app provisioned. */
  appWorkspaceId: string
}

const keyScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'workspaces:write')

export async function makeTenant(app: TestApp): Promise<Tenant> {
  const owner = await makePerson(app, 'Tenant')
  const workspaceId = await makeWorkspace(owner, 'agency')
  const profileId = await makeProfile(owner, workspaceId)
  const token = await owner.call(createUserToken, { body: { name: 'All', scopes: [...scopes] } })
  const partner = await makeApp(app, workspaceId)
  const provisioned = await partner.call(createWorkspace, { body: { email: owner.email, plan: 'agency' } })
  return {
    owner,
    workspaceId,
    profileId,
    key: await makeKey(app, profileId, keyScopes),
    bareKey: await makeKey(app, profileId, []),
    userToken: token.data.token,
    partner,
    appWorkspaceId: provisioned.data.workspace_id,
  }
}

/** A separate session of the tenant's owner, which the call may end. */
export async function freshSession(app: TestApp, tenant: Tenant): Promise<string> {
  const { token } = await openSession(app.service, app.service.db, tenant.owner.id)
  return `Bearer ${token}`
}

/** A credential of the kind that the entry accepts, with all permissions. */
export async function fittingCredential(
  app: TestApp,
  tenant: Tenant,
  entry: Endpoint,
): Promise<string | undefined> {
  switch (entry.access.kind) {
    case 'public':
      return undefined
    case 'profile':
    case 'bearer':
      return `Bearer ${tenant.key}`
    case 'app':
      return tenant.partner.basic
    default:
      return freshSession(app, tenant)
  }
}

export type Answered = {
  status: number
  code: string | undefined
  body: unknown
  text: string
  headers: Headers
}

export async function send(
  app: TestApp,
  entry: Endpoint,
  authorization: string | undefined,
  sample: Sample,
  raw?: { contentType: string; bytes: string | Uint8Array<ArrayBuffer> },
  extraHeaders: Record<string, string> = {},
): Promise<Answered> {
  const headers: Record<string, string> = {
    'x-forwarded-for': `10.9.${random(255)}.${random(255)}`,
    ...extraHeaders,
  }
  if (authorization !== undefined) headers.authorization = authorization
  const { raw: ofSample = undefined } = sample
  const sent = raw ?? ofSample
  const payload = sent?.bytes ?? (sample.body === null ? undefined : JSON.stringify(sample.body))
  if (payload !== undefined) headers['content-type'] = sent?.contentType ?? 'application/json'
  const reply = await app.fetch(urlOf(entry, app.baseUrl, sample.params, sample.query), {
    method: entry.method,
    headers,
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await reply.text()
  const isJson = (reply.headers.get('content-type') ?? '').startsWith('application/json')
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : null
  const code = (body as { error?: { code?: string } } | null)?.error?.code
  return { status: reply.status, code, body, text, headers: reply.headers }
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}

/** The body without the request id, which differs in every response. */
export function withoutRequestId(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'request_id' ? undefined : value)))
}
