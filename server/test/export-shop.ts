/** A profile that sends conversions to the imitated platforms, with helpers for its tests. */

import { sendEvent } from '../src/features/facts/events/contract.ts'
import { createExportDestination } from '../src/features/outgoing/exports/destinations/contract.ts'
import { exportJobs } from '../src/features/outgoing/exports/jobs.ts'
import { type ExportLedgerRow, listExportLedger } from '../src/features/outgoing/exports/ledger/contract.ts'
import { listPixels } from '../src/features/sources/connections/contract.ts'
import type { Scope } from '../src/platform/contract/access.ts'
import type { TestClient } from './answers.ts'
import type { TestApp } from './app.ts'
import { drainJobs } from './jobs.ts'
import { makeKey } from './make.ts'
import { makeShop, type Shop } from './make-shop.ts'

const scopes: Scope[] = [
  'connections:read',
  'connections:write',
  'exports:read',
  'exports:write',
  'events:write',
  'conversions:read',
  'payments:read',
  'payments:write',
  'identity:read',
  'identity:write',
  'tracking:write',
  'customers:read',
]

export type ExportShop = Shop & {
  call: TestClient
  /** With the owner's session, for decisions about healthcare profiles. */
  decide: TestClient
  /** Waits until the pipeline and all due jobs have finished. */
  settle(): Promise<void>
  pay(key: string, fields?: Record<string, unknown>): Promise<void>
  ledger(query?: Record<string, string>): Promise<ExportLedgerRow[]>
  socialDestination(fields?: Record<string, unknown>): Promise<{ id: string; pixelId: string }>
}

export async function makeExportShop(
  app: TestApp,
  extra?: Pick<Shop, 'owner' | 'workspaceId'>,
): Promise<ExportShop> {
  const shop = await makeShop(app, extra)
  const call = app.as(await makeKey(app, shop.profileId, scopes))
  const decide = ((entry, input = {}) =>
    shop.owner.call(entry, {
      ...input,
      query: { ...(input.query as object), profile_id: shop.profileId },
    })) as TestClient
  const settle = async () => {
    await app.service.processor.settled(shop.profileId)
    // The first sync of a new connection is slow and not needed here.
    await app.service.db.deleteFrom('jobs').where('name', 'not like', 'exports.%').execute()
    await drainJobs(app.service, exportJobs)
  }
  return {
    ...shop,
    call,
    decide,
    settle,
    async pay(key, fields = {}) {
      const { properties, ...otherFields } = fields as { properties?: Record<string, unknown> }
      await call(sendEvent, {
        body: {
          event_name: 'payment_received',
          idempotency_key: key,
          properties: { value: '100.00', currency: 'EUR', ...properties },
          user_traits: { email: `${key}@example.com` },
          ...otherFields,
        },
      })
    },
    ledger: async (query = {}) =>
      (await call(listExportLedger, { query: { limit: '200', ...query } })).data as ExportLedgerRow[],
    async socialDestination(fields = {}) {
      const connection = await shop.connected('social_ads')
      const { data } = await call(listPixels, { params: { id: connection.id } })
      const pixelId = data.pixels[0]!.id
      const destination = await decide(createExportDestination, {
        body: { kind: 'social', connection_id: connection.id, social_pixel_id: pixelId, ...fields },
      })
      return { id: destination.data.id, pixelId }
    },
  }
}

/** Conversions that the imitations received, oldest first. */
export async function receivedBy(app: TestApp, provider: string): Promise<Record<string, unknown>[]> {
  const reply = await fetch(`${app.baseUrl}/sandbox/exports`)
  const { data } = (await reply.json()) as { data: Record<string, unknown>[] }
  return data.filter((entry) => entry.provider === provider)
}
