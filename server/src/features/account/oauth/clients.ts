/** OAuth clients: registered partner apps, dynamically registered clients, and clients described by a document. */

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Service } from '../../../context.ts'
import { BoundedCache } from '../../../platform/bounded-cache.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import { requireUnit } from '../../../platform/http/rate-limit.ts'
import { type Client, isRegistrableRedirect } from './rules.ts'

const DOCUMENT_TTL_MS = 10 * 60_000
const FAILURE_TTL_MS = 30_000
const MAX_DOCUMENTS = 1000
const DOCUMENT_FETCHES = { perMinute: 20, burst: 20 }

const Document = z.object({
  client_id: z.string(),
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string()).min(1).max(20),
})

/** `ip` of the caller, to limit fetches of client documents. */
export async function findClient(
  service: Service,
  clientId: string,
  ip: string,
): Promise<Client | undefined> {
  if (clientId.length > 2000) return undefined
  if (clientId.startsWith('https://'))
    return recallDocument(service, clientId, async () => {
      await limitDocuments(service, clientId, ip)
      return readDocument(service, clientId)
    })
  const app = await service.db
    .selectFrom('apps as a')
    .innerJoin('workspaces as w', 'w.id', 'a.workspace_id')
    .select(['a.id', 'a.client_id', 'a.name', 'a.redirect_uris', 'a.allowed_scopes', 'a.workspace_id'])
    .where('a.client_id', '=', clientId)
    .where('w.archived_at', 'is', null)
    .executeTakeFirst()
  if (app !== undefined)
    return {
      kind: 'partner',
      appId: app.id,
      workspaceId: app.workspace_id,
      clientId: app.client_id,
      name: app.name,
      redirectUris: app.redirect_uris,
      allowedScopes: app.allowed_scopes,
    }
  const row = await rowsWhere(service.db, 'oauth_clients', { client_id: clientId }).find([
    'client_id',
    'name',
    'redirect_uris',
  ])
  return row && { kind: 'public', clientId: row.client_id, name: row.name, redirectUris: row.redirect_uris }
}

type CachedClient = { client: Promise<Client | undefined>; until: number }
const caches = new WeakMap<Service, BoundedCache<string, CachedClient>>()

/** Caches client documents. Concurrent callers share one fetch; failures expire sooner. */
function recallDocument(
  service: Service,
  clientId: string,
  read: () => Promise<Client | undefined>,
): Promise<Client | undefined> {
  const documents = caches.get(service) ?? new BoundedCache<string, CachedClient>(MAX_DOCUMENTS)
  caches.set(service, documents)
  const cached = documents.get(clientId)
  if (cached !== undefined && cached.until > performance.now()) return cached.client
  const entry = { client: read(), until: performance.now() + FAILURE_TTL_MS }
  documents.set(clientId, entry)
  entry.client.then(
    (client) => {
      if (client !== undefined) entry.until = performance.now() + DOCUMENT_TTL_MS
    },
    () => documents.delete(clientId),
  )
  return entry.client
}

/** Callers can name arbitrary addresses, so fetches are limited per caller and per target host. */
async function limitDocuments(service: Service, clientId: string, ip: string): Promise<void> {
  if (!URL.canParse(clientId)) return
  const now = service.clock.machineNow()
  const message = 'Too many client documents were requested; wait and try again.'
  for (const key of [`client-document:ip:${ip}`, `client-document:host:${new URL(clientId).hostname}`])
    await requireUnit(service.db, { key, limit: DOCUMENT_FETCHES, now, message })
}

/** Reads a client id metadata document. The address must be public, and the document must contain it as `client_id`. */
async function readDocument(service: Service, clientId: string): Promise<Client | undefined> {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined
  if (url === undefined || url.hash !== '' || url.username !== '' || url.pathname === '/') return undefined
  try {
    const reply = await service.publicHttp.send({
      method: 'GET',
      url: clientId,
      headers: { accept: 'application/json' },
      timeoutMs: 5000,
    })
    if (reply.status !== 200) return undefined
    const parsed = Document.safeParse(JSON.parse(Buffer.from(reply.bytes).toString('utf8')))
    if (!parsed.success || parsed.data.client_id !== clientId) return undefined
    const redirectUris = parsed.data.redirect_uris.filter(isRegistrableRedirect)
    return { kind: 'public', clientId, name: parsed.data.client_name ?? url.hostname, redirectUris }
  } catch (error) {
    service.log.warn('client document not read', { error })
    return undefined
  }
}

export const Registration = z.object({
  redirect_uris: z.array(z.string().refine(isRegistrableRedirect)).min(1).max(20),
  client_name: z.string().trim().min(1).max(200).default('MCP client'),
  token_endpoint_auth_method: z.literal('none').default('none'),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])).optional(),
  response_types: z.array(z.literal('code')).optional(),
})

export async function registerClient(service: Service, registration: z.output<typeof Registration>) {
  const now = service.clock.now()
  const clientId = `mcp_${randomBytes(16).toString('hex')}`
  await insertRow(service.db, 'oauth_clients', {
    id: uuidv7(now),
    client_id: clientId,
    name: registration.client_name,
    redirect_uris: registration.redirect_uris,
    created_at: now,
  })
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_name: registration.client_name,
    redirect_uris: registration.redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}
