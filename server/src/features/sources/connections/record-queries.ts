import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

type Ref = { profileId: string; connectionId: string }

type SearchQueryRow = {
  day: string
  query: string
  page: string
  clicks: number
  impressions: number
  position_milli: number | null
}

export async function upsertSearchQueries(tx: Tx, params: Ref & { rows: readonly SearchQueryRow[] }) {
  await sql`
    insert into search_queries (profile_id, connection_id, day, query, page, clicks, impressions, position_milli)
    select ${params.profileId}::uuid, ${params.connectionId}::uuid, r.day, r.query, r.page, r.clicks, r.impressions,
      r.position_milli
    from jsonb_to_recordset(${JSON.stringify(params.rows)}::jsonb) as r(day date, query text, page text, clicks bigint,
      impressions bigint, position_milli bigint)
    on conflict (profile_id, connection_id, day, query, page) do update
      set clicks = excluded.clicks,
        impressions = excluded.impressions, position_milli = excluded.position_milli`.execute(tx)
}

type LeadRow = {
  leadgen_id: string
  page_id: string | null
  form_id: string | null
  ad_id: string | null
  campaign_id: string | null
  field_data: unknown
  occurred_at: string
}

/** Returns the ids of leads that were not stored before. */
export async function insertLeads(
  tx: Tx,
  params: Ref & { rows: readonly LeadRow[]; now: Date },
): Promise<Set<string>> {
  const { rows } = await sql<{ leadgen_id: string }>`
    insert into provider_leads (profile_id, leadgen_id, connection_id, page_id, form_id, ad_id, campaign_id, field_data,
      occurred_at, recorded_at)
    select ${params.profileId}::uuid, r.leadgen_id, ${params.connectionId}::uuid, r.page_id, r.form_id, r.ad_id, r.campaign_id,
      r.field_data, r.occurred_at, ${params.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(params.rows)}::jsonb) as r(leadgen_id text, page_id text, form_id text, ad_id text,
      campaign_id text, field_data jsonb, occurred_at timestamptz)
    on conflict (profile_id, leadgen_id) do nothing
    returning leadgen_id`.execute(tx)
  return new Set(rows.map((row) => row.leadgen_id))
}
