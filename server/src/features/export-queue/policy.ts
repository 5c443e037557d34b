/** What a profile sends back and under which rules, in one question: it is asked for every batch of events. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type {
  CatalogEntry,
  DataSource,
  EventMapEntry,
  ExportKind,
  Policy,
  PrivacyMode,
  QueueDestination,
} from './rules.ts'

export type ExportPolicy = Policy & {
  destinations: QueueDestination[]
  /** Goal → its conversion key. */
  keys: ReadonlyMap<string, string>
}

type Row = {
  privacy_mode: PrivacyMode
  conversions: CatalogEntry[] | null
  healthcare_allowlist: string[] | null
  agreement_signed_at: Date | null
  target: string | null
  clean_dataset_id: string | null
  destinations:
    | {
        id: string
        kind: ExportKind
        enabled: boolean
        enabled_at: string
        data_source: DataSource | null
        event_map: EventMapEntry[]
      }[]
    | null
  goals: { id: string; key: string }[] | null
}

export async function loadExportPolicy(db: Db | Tx, profileId: string): Promise<ExportPolicy> {
  const { rows } = await sql<Row>`
    select p.privacy_mode, s.conversions, s.healthcare_allowlist, s.agreement_signed_at, s.target, s.clean_dataset_id,
      (select json_agg(json_build_object('id', d.id, 'kind', d.kind, 'enabled', d.enabled, 'enabled_at', d.enabled_at,
         'event_map', d.event_map, 'data_source', d.data_source) order by d.id)
       from export_destinations d where d.profile_id = ${profileId}) as destinations,
      (select json_agg(json_build_object('id', g.id, 'key', g.conversion_key))
       from goals g where g.profile_id = ${profileId}) as goals
    from profiles p left join export_settings s on s.profile_id = ${profileId}
    where p.id = ${profileId}`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error(`There is no profile ${profileId}.`)
  return {
    privacyMode: row.privacy_mode,
    conversions: row.conversions,
    healthcareAllowlist: row.healthcare_allowlist ?? [],
    hasAgreement: row.agreement_signed_at !== null,
    cleanDatasetId: row.target === 'clean_dataset' ? row.clean_dataset_id : null,
    destinations: (row.destinations ?? []).map((one) => ({
      id: one.id,
      kind: one.kind,
      enabled: one.enabled,
      enabledAt: Date.parse(one.enabled_at),
      dataSource: one.data_source,
      eventMap: one.event_map,
    })),
    keys: new Map((row.goals ?? []).map((goal) => [goal.id, goal.key])),
  }
}
