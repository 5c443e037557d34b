import { sql } from 'kysely'
import type { ExperimentCell, ExperimentRecord, PlatformReading } from '../../../connectors/experiments.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { incrementReportVersion } from '../../../platform/db/profile-lock.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import type { StoredDesign } from './design-rules.ts'
import type { Decision, OwnReading } from './rules.ts'

/** An own study has regions instead of campaigns. */
export type OwnCell = ExperimentCell & { regions?: string[] }

export type ExperimentRow = {
  id: string
  profile_id: string
  provider: string
  kind: 'lift' | 'split' | 'geo'
  name: string
  starts_at: Date | null
  ends_at: Date | null
  observation_ends_at: Date | null
  canceled_at: Date | null
  cells: OwnCell[]
  design: StoredDesign | null
  platform_reading: PlatformReading | null
  /** For an own study: the reading stored by the last daily run. */
  own_reading: OwnReading | null
  decision: Decision | null
  /** Time of the account's last complete sync. */
  synced_at: Date | null
}

export async function listExperimentRows(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ExperimentRow[]> {
  const rows = await db
    .selectFrom('experiments as x')
    .leftJoin('connection_syncs as s', (join) =>
      join.on('s.profile_id', '=', params.profileId).onRef('s.connection_id', '=', 'x.connection_id'),
    )
    .select([
      'x.id',
      'x.profile_id',
      'x.provider',
      'x.kind',
      'x.name',
      'x.starts_at',
      'x.ends_at',
      'x.observation_ends_at',
      'x.canceled_at',
      'x.cells',
      'x.design',
      'x.platform_reading',
      'x.own_reading',
      'x.decision',
      's.last_success_at as synced_at',
    ])
    .where('x.profile_id', '=', params.profileId)
    .orderBy('x.starts_at', 'desc')
    .orderBy('x.id')
    .execute()
  return rows.map((row) => ({ ...row, cells: Array.isArray(row.cells) ? row.cells : [] })) as ExperimentRow[]
}

/** Upserts by the platform's id. */
export async function saveExperiments(
  tx: Tx,
  params: {
    profileId: string
    connectionId: string
    provider: string
    records: readonly ExperimentRecord[]
    now: Date
  },
): Promise<void> {
  const { profileId, connectionId, provider, now } = params
  const rows = params.records.map((record) => ({
    id: uuidv5(profileId, `experiment:${provider}:${record.externalId}`),
    external_id: record.externalId,
    kind: record.kind,
    name: record.name,
    starts_at: record.startsAt,
    ends_at: record.endsAt,
    observation_ends_at: record.observationEndsAt,
    canceled_at: record.canceledAt,
    cells: record.cells,
    platform_reading: record.platformReading,
  }))
  if (rows.length === 0) return
  await sql`
    insert into experiments (profile_id, connection_id, provider, updated_at, id, external_id, kind, name, starts_at,
      ends_at, observation_ends_at, canceled_at, cells, platform_reading)
    select ${profileId}::uuid, ${connectionId}::uuid, ${provider}::text, ${now}::timestamptz, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, external_id text, kind text, name text,
      starts_at timestamptz, ends_at timestamptz, observation_ends_at timestamptz, canceled_at timestamptz,
      cells jsonb, platform_reading jsonb)
    on conflict (profile_id, id) do update set connection_id = excluded.connection_id, kind = excluded.kind,
      name = excluded.name, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      observation_ends_at = excluded.observation_ends_at, canceled_at = excluded.canceled_at,
      cells = excluded.cells,
      platform_reading = excluded.platform_reading, updated_at = excluded.updated_at`.execute(tx)
  await incrementReportVersion(tx, profileId)
}

export async function saveDecision(tx: Tx, params: { profileId: string; id: string; decision: Decision }) {
  await rowsWhere(tx, 'experiments', { profile_id: params.profileId, id: params.id }).update({
    decision: JSON.stringify(params.decision),
  })
  await incrementReportVersion(tx, params.profileId)
}

/** Connections of all profiles whose experiments are to be read. */
export async function listAdConnections(db: Db, params: { providers: readonly string[] }) {
  const { rows } = await sql<{ profile_id: string; id: string }>`
    select profile_id, id from connections
    where status = 'connected' and provider = any(${params.providers}::text[])
    order by profile_id, id`.execute(db)
  return rows
}

export type CellDay = {
  external_id: string
  level: string
  day: string
  spend_minor: number
  impressions: number
  payments: number
  conversions: number
}

/** Spend and outcomes of the campaigns and ad sets on days with delivery. */
export async function listCellDays(
  db: Db | Tx,
  params: {
    profileId: string
    campaigns: readonly string[]
    adSets: readonly string[]
    from: string
    to: string
  },
): Promise<CellDay[]> {
  const { profileId, from, to } = params
  const { rows: tested } = await sql<{ id: string; level: 'campaign' | 'ad_set'; external_id: string }>`
    select id, level, external_id from ad_entities
    where profile_id = ${profileId} and (
      (level = 'campaign' and external_id = any(${params.campaigns}::text[]))
      or (level = 'ad_set' and external_id = any(${params.adSets}::text[])))`.execute(db)
  const rows: CellDay[] = []
  for (const [level, entities] of Map.groupBy(tested, (entity) => entity.level)) {
    const externalIds = new Map(entities.map((entity) => [entity.id, entity.external_id]))
    const days = await readSums(db, {
      profileId,
      from,
      to,
      level,
      entities: [...externalIds.keys()],
      measures: {
        spend_minor: 'spend_minor',
        impressions: 'impressions',
        payments: 'credited_payments',
        conversions: 'credited_conversions',
        delivered: 'first_delivery_day',
      },
      by: ['day', 'entity_id'],
    })
    for (const { entity_id, delivered, ...day } of days)
      if (delivered !== null) rows.push({ ...day, level, external_id: externalIds.get(entity_id)! })
  }
  return rows.toSorted((a, b) => compare(a.day, b.day) || compare(a.external_id, b.external_id))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
