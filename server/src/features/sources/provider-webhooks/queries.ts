import { sql } from 'kysely'
import type { InboundWebhook } from '../../../connectors/connector.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Upsert by digest: identical bytes share one row and are processed again, which is idempotent. */
export async function saveWebhook(
  tx: Tx,
  params: InboundWebhook & {
    provider: string
    profileId: string | null
    connectionId: string | null
    digest: Buffer
    now: Date
  },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into provider_webhooks (id, provider, digest, profile_id, connection_id, headers, query, body, received_at)
    values (${uuidv7()}, ${params.provider}, ${params.digest}, ${params.profileId}, ${params.connectionId},
      ${JSON.stringify(params.headers)}, ${JSON.stringify(params.query)}, ${Buffer.from(params.rawBody)}, ${params.now})
    on conflict (provider, digest) do update set received_at = excluded.received_at, processed_at = null,
      headers = excluded.headers, query = excluded.query, body = excluded.body
    returning id`.execute(tx)
  return rows[0]!.id
}
