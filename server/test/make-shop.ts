/** A profile with a key for connections, with helpers for its tests. */
import type { Provider } from '../src/connectors/connector.ts'
import { mailboxVendors } from '../src/connectors/mailbox.ts'
import { Connection, getConnection } from '../src/features/sources/connections/contract.ts'
import { getHandoff, Handoff, mintHandoff } from '../src/features/sources/handoffs/contract.ts'
import { startMailboxLink } from '../src/features/sources/mailboxes/contract.ts'
import type { Scope } from '../src/platform/contract/access.ts'
import type { TestClient } from './answers.ts'
import type { TestApp } from './app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
  provision,
} from './make.ts'
import { makeVisitor, type VisitedPage, walkConsent } from './visitor.ts'

export type Shop = {
  owner: Person
  workspaceId: string
  profileId: string
  call: TestClient
  mint(body?: Record<string, unknown>, provider?: Provider): Promise<Handoff>
  poll(id: string): Promise<Handoff>
  /** Creates a hand-off, completes the consent in a new browser, and reads the hand-off again. */
  connect(choice?: string, provider?: Provider): Promise<{ page: VisitedPage; handoff: Handoff }>
  /** Connects one account and reads the connection; its first sync will read 40 days. */
  connected(provider?: Provider): Promise<Connection>
}

const scopes: Scope[] = [
  'connections:read',
  'connections:write',
  'exports:read',
  'campaigns:read',
  'campaigns:apply',
]
const stores: Partial<Record<Provider, { shop: string }>> = {
  storefront: { shop: 'harbor-and-pine' },
  woocommerce: { shop: 'harbor.example' },
}
const storeOf = (provider: Provider) => stores[provider] ?? {}

export async function makeShop(app: TestApp, extra?: Pick<Shop, 'owner' | 'workspaceId'>): Promise<Shop> {
  const owner = extra?.owner ?? (await makePerson(app, 'Owner'))
  const workspaceId = extra?.workspaceId ?? (await makeWorkspace(owner))
  const profileId = await makeProfile(owner, workspaceId, { name: 'Hazel & Pine <Studio>' })
  return shopWith(app, { owner, workspaceId, profileId }, await makeKey(app, profileId, scopes))
}

export function shopWith(
  app: TestApp,
  ids: Pick<Shop, 'owner' | 'workspaceId' | 'profileId'>,
  key: string,
): Shop {
  const call = app.as(key)
  const mint: Shop['mint'] = async (body = {}, provider = 'cardpay') => {
    const vendor = mailboxVendors.find((candidate) => candidate === provider)
    const reply =
      vendor === undefined
        ? await call(mintHandoff, {
            params: { provider: provider },
            body: { ...storeOf(provider), ...body },
          })
        : await call(startMailboxLink, { body: { ...body, provider: vendor } })
    return Handoff.parse(reply.data)
  }
  const poll: Shop['poll'] = async (id) => Handoff.parse((await call(getHandoff, { params: { id } })).data)
  const connect: Shop['connect'] = async (choice = 'approve-one', provider = 'cardpay') => {
    const minted = await mint({}, provider)
    const page = await walkConsent(makeVisitor(), minted.start_url, choice)
    return { page, handoff: await poll(minted.id) }
  }
  const connected: Shop['connected'] = async (provider = 'cardpay') => {
    const { handoff } = await connect('approve-one', provider)
    const id = (handoff.result as { connection_id?: string } | null)?.connection_id
    if (id === undefined) throw new Error(`Not connected: ${JSON.stringify(handoff)}`)
    await shortenFirstSync(app, id)
    return Connection.parse((await call(getConnection, { params: { id } })).data)
  }
  return { ...ids, call, mint, poll, connect, connected }
}

const DAY_MS = 86_400_000
/** The imitations have four months of history; a third of it is enough and takes a third of the CPU. */
const HISTORY_DAYS = 40

export const firstDayRead = (app: TestApp): string =>
  new Date(app.service.clock.now().getTime() - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10)

async function shortenFirstSync(app: TestApp, connectionId: string): Promise<void> {
  await app.pool.query(
    `update connection_syncs set since_day = $2::date
     where connection_id = $1 and state = 'queued' and since_day is null`,
    [connectionId, firstDayRead(app)],
  )
}

/** A shop that a partner app provisioned, with the app's own key. */
export async function makeGovernedShop(
  app: TestApp,
  registration: { redirectUris?: string[]; allowedReturnOrigins?: string[]; logoUrl?: string } = {},
): Promise<{ shop: Shop; partner: PartnerApp }> {
  const shop = await makeShop(app)
  const partner = await makeApp(app, shop.workspaceId)
  await app.service.db
    .updateTable('apps')
    .set({
      redirect_uris: registration.redirectUris ?? ['https://partner.example/callback'],
      allowed_return_origins: registration.allowedReturnOrigins ?? [],
      logo_url: registration.logoUrl ?? null,
    })
    .where('id', '=', partner.id)
    .execute()
  await provision(app, shop.profileId, partner)
  return { shop, partner }
}

export async function moveClock(app: TestApp, seconds: number): Promise<void> {
  const reply = await fetch(`${app.baseUrl}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_seconds: seconds }),
  })
  if (!reply.ok) throw new Error(`The clock answered ${reply.status}: ${await reply.text()}`)
}

/** Requests a fault or an action of a sandbox. */
export async function triggerSandbox(
  app: TestApp,
  provider: Provider | 'banklink',
  what: 'fault' | 'act',
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const reply = await fetch(`${app.baseUrl}/sandbox/${provider}/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await reply.json()) as { data: Record<string, unknown> }
  if (!reply.ok) throw new Error(`The sandbox answered ${reply.status}: ${JSON.stringify(answer)}`)
  return answer.data
}

/** Everything that connecting could have stored for a profile, to prove that nothing was. */
export async function storedFor(app: TestApp, profileId: string) {
  const { db } = app.service
  const [connections, accounts, selections] = await Promise.all([
    db.selectFrom('connections').selectAll().where('profile_id', '=', profileId).execute(),
    db.selectFrom('connection_accounts').selectAll().where('profile_id', '=', profileId).execute(),
    db.selectFrom('pending_selections').selectAll().where('profile_id', '=', profileId).execute(),
  ])
  return { connections, accounts, selections }
}

export async function eventsOf(app: TestApp, profileId: string): Promise<string[]> {
  const rows = await app.service.db
    .selectFrom('outbox_events')
    .select('type')
    .where('profile_id', '=', profileId)
    .orderBy('number')
    .execute()
  return rows.map((row) => row.type)
}
