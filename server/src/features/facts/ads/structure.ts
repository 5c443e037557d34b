/** Stores the platforms' ad structure. Listings overwrite fields; names and parents in other records only fill gaps. */
import { sql } from 'kysely'
import type { AdEntityRecord, DeliveryRecord } from '../../../connectors/connector.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { type AdLevel, type EntityParents, entityId, loadHierarchy } from './entities.ts'
import { withEntityVersions } from './save-versions.ts'

export type EntityWrite = {
  id: string
  level: AdLevel
  external_id: string
  campaign_id: string | null
  ad_set_id: string | null
  name: string | null
}
export type ListedEntity = EntityWrite & {
  status: string | null
  objective: string | null
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  currency: string | null
  creative: AdEntityRecord['creative']
}

/** An entity that another record mentions. */
export type NamedEntity = {
  type: 'named'
  level: AdLevel
  externalId: string
  name: string | null
  campaignExternalId: string | null
  adSetExternalId: string | null
}
export type AdRecord = AdEntityRecord | DeliveryRecord | NamedEntity

/** `deleted`: entities that the platform no longer lists but still reports delivery for. */
export type Structure = { named: EntityWrite[]; listed: ListedEntity[]; deleted: string[] }

/** All entities in the records, each once. If an entity is listed twice, the later record wins. Pure. */
export function structureOf(profileId: string, records: readonly AdRecord[]): Structure {
  const entities = new Map<string, EntityWrite>()
  const listed = new Map<string, ListedEntity>()
  const deleted = new Set<string>()
  const name = (
    level: AdLevel,
    externalId: string,
    entity: Omit<EntityWrite, 'id' | 'level' | 'external_id'>,
  ) => {
    const id = entityId(profileId, level, externalId)
    const existing = entities.get(id)
    const write = {
      id,
      level,
      external_id: externalId,
      campaign_id: entity.campaign_id ?? existing?.campaign_id ?? null,
      ad_set_id: entity.ad_set_id ?? existing?.ad_set_id ?? null,
      name: entity.name ?? existing?.name ?? null,
    }
    entities.set(id, write)
    return write
  }
  for (const record of records) {
    const parents = record.type === 'delivery' ? record.entity : record
    const campaign = record.level === 'campaign' ? null : (parents?.campaignExternalId ?? null)
    const adSet = record.level === 'ad' ? (parents?.adSetExternalId ?? null) : null
    const campaignId =
      campaign === null
        ? null
        : name('campaign', campaign, { campaign_id: null, ad_set_id: null, name: null }).id
    const adSetId =
      adSet === null
        ? null
        : name('ad_set', adSet, { campaign_id: campaignId, ad_set_id: null, name: null }).id
    const write = name(record.level, record.externalId, {
      campaign_id: campaignId,
      ad_set_id: adSetId,
      name: parents?.name ?? null,
    })
    if (record.type === 'delivery' && record.entity?.isDeleted) deleted.add(write.id)
    if (record.type === 'ad_entity')
      listed.set(write.id, {
        ...write,
        status: record.status,
        objective: record.objective,
        daily_budget_minor: record.dailyBudgetMinor,
        lifetime_budget_minor: record.lifetimeBudgetMinor,
        currency: record.currency,
        creative: record.creative,
      })
  }
  return { named: [...entities.values()], listed: [...listed.values()], deleted: [...deleted] }
}

export type Reparented = { id: string; level: AdLevel; before: EntityParents; after: EntityParents }

/** An entity whose platform changed; `before` is the previous one. */
export type PlatformChange = { id: string; before: string }
export type StructureChanges = { moved: Reparented[]; platformChanges: PlatformChange[] }

const orphan: EntityParents = { campaignId: null, adSetId: null }

/** `readAt`: time of the query to the platform; default: now. */
export type RecordSource = { source: string; connectionId: string | null; readAt?: Date | undefined }

/** Returns the entities whose parents or platform changed. A known parent is replaced but never cleared. */
export async function saveStructure(
  tx: Tx,
  profileId: string,
  from: RecordSource,
  structure: Structure,
  now: Date,
): Promise<StructureChanges> {
  const levelOf = new Map(structure.named.map((entity) => [entity.id, entity.level]))
  for (const id of await adsUnder(tx, profileId, [...levelOf.keys()])) levelOf.set(id, 'ad')
  const ids = [...levelOf.keys()]
  const before = await loadHierarchy(tx, profileId, ids)
  const changed = [...new Set([...ids, ...structure.listed.map(({ id }) => id), ...structure.deleted])]
  await withEntityVersions(tx, profileId, changed, now, async () => {
    await saveNamed(tx, profileId, from, structure.named, now)
    await saveListed(tx, profileId, from, structure.listed, now)
    await markDeleted(tx, profileId, structure.deleted, now)
    await saveSettingsDay(tx, profileId, structure, now)
    await alignCampaigns(tx, profileId, ids, now)
  })
  const after = await loadHierarchy(tx, profileId, ids)
  const moved = [...levelOf].flatMap(([id, level]) => {
    const [old, fresh] = [before.get(id) ?? orphan, after.get(id) ?? orphan]
    const isMoved = old.campaignId !== fresh.campaignId || old.adSetId !== fresh.adSetId
    return isMoved ? [{ id, level, before: old, after: fresh }] : []
  })
  const platformChanges = [...before].flatMap(([id, { platform }]) =>
    platform === after.get(id)?.platform ? [] : [{ id, before: platform }],
  )
  return { moved, platformChanges }
}

async function adsUnder(tx: Tx, profileId: string, adSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ad_entities
    where profile_id = ${profileId} and level = 'ad' and ad_set_id = any(${adSetIds}::uuid[])`.execute(tx)
  return rows.map((row) => row.id)
}

/** Sets an ad's campaign to that of its ad set, so that figures of a campaign agree at every level. */
async function alignCampaigns(tx: Tx, profileId: string, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update ad_entities a set campaign_id = s.campaign_id, updated_at = ${now}
    from ad_entities s
    where a.profile_id = ${profileId} and a.id = any(${ids}::uuid[]) and a.level = 'ad'
      and s.profile_id = ${profileId} and s.id = a.ad_set_id and s.campaign_id is not null
      and a.campaign_id is distinct from s.campaign_id`.execute(tx)
}

async function saveNamed(
  tx: Tx,
  profileId: string,
  from: { source: string; connectionId: string | null },
  rows: readonly EntityWrite[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into ad_entities as e (profile_id, source, connection_id, updated_at, id, level, external_id, campaign_id, ad_set_id, name)
    select ${profileId}::uuid, ${from.source}::text, ${from.connectionId}::uuid, ${now}::timestamptz, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, level text, external_id text, campaign_id uuid, ad_set_id uuid, name text)
    on conflict (profile_id, id) do update set
      source = coalesce(e.source, excluded.source), connection_id = coalesce(e.connection_id, excluded.connection_id),
      campaign_id = coalesce(excluded.campaign_id, e.campaign_id), ad_set_id = coalesce(excluded.ad_set_id, e.ad_set_id),
      name = case when e.connection_id is null then coalesce(excluded.name, e.name) else coalesce(e.name, excluded.name) end,
      updated_at = excluded.updated_at
    where e.source is null or (e.connection_id is null and excluded.connection_id is not null)
      or e.campaign_id is distinct from coalesce(excluded.campaign_id, e.campaign_id)
      or e.ad_set_id is distinct from coalesce(excluded.ad_set_id, e.ad_set_id)
      or (excluded.name is not null and (e.name is null or (e.connection_id is null and e.name <> excluded.name)))`.execute(
    tx,
  )
}

/** The platform's listing overwrites, except for settings that we changed at the platform after the listing was read. */
async function saveListed(
  tx: Tx,
  profileId: string,
  from: RecordSource,
  rows: readonly ListedEntity[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const unlessWritten = (column: string) =>
    sql`case when e.written_at >= ${from.readAt ?? now}::timestamptz then ${sql.ref(`e.${column}`)} else ${sql.ref(`r.${column}`)} end`
  const status = unlessWritten('status')
  const daily = unlessWritten('daily_budget_minor')
  const lifetime = unlessWritten('lifetime_budget_minor')
  await sql`
    update ad_entities e set source = ${from.source}, connection_id = ${from.connectionId}::uuid, name = coalesce(r.name, e.name),
      status = ${status}, objective = r.objective, daily_budget_minor = ${daily},
      lifetime_budget_minor = ${lifetime}, currency = r.currency, creative = r.creative, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, name text, status text, objective text,
      daily_budget_minor bigint, lifetime_budget_minor bigint, currency text, creative jsonb)
    where e.profile_id = ${profileId} and e.id = r.id
      and row(e.source, e.connection_id, e.name, e.status, e.objective, e.daily_budget_minor, e.lifetime_budget_minor, e.currency, e.creative)
        is distinct from row(${from.source}::text, ${from.connectionId}::uuid, coalesce(r.name, e.name), ${status}, r.objective,
          ${daily}, ${lifetime}, r.currency, r.creative)`.execute(tx)
}

async function markDeleted(tx: Tx, profileId: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update ad_entities set status = 'DELETED', updated_at = ${now}
    where profile_id = ${profileId}
      and id = any(${ids}::uuid[]) and status is distinct from 'DELETED'`.execute(tx)
}

/** Saves the day's status and daily budget of listed campaigns; a campaign without a budget has the sum of its ad sets. */
async function saveSettingsDay(tx: Tx, profileId: string, { listed, deleted }: Structure, now: Date) {
  const campaigns = new Set(deleted)
  for (const { level, id, campaign_id: parent } of listed) {
    if (level === 'campaign') campaigns.add(id)
    if (level === 'ad_set' && parent !== null) campaigns.add(parent)
  }
  if (campaigns.size === 0) return
  const { timezone } = await rowsWhere(tx, 'profiles', { id: profileId }).get(['timezone'])
  await sql`
    insert into campaign_settings_days as d (profile_id, entity_id, day, status, daily_budget_minor, currency)
    select c.profile_id, c.id, ${localDay(now, timezone)}::date, c.status,
      coalesce(c.daily_budget_minor, (
        select sum(s.daily_budget_minor)::bigint from ad_entities s
        where s.profile_id = ${profileId} and s.campaign_id = c.id and s.level = 'ad_set'
          and s.status in ('ACTIVE', 'ENABLED'))), c.currency
    from ad_entities c
    where c.profile_id = ${profileId} and c.level = 'campaign' and c.id = any(${[...campaigns]}::uuid[])
    on conflict (profile_id, entity_id, day) do update set status = excluded.status,
      daily_budget_minor = excluded.daily_budget_minor, currency = excluded.currency
    where row(d.status, d.daily_budget_minor, d.currency)
      is distinct from row(excluded.status, excluded.daily_budget_minor, excluded.currency)`.execute(tx)
}
