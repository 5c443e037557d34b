/** Loads the export rules and destinations of a profile in one query, because every batch of events needs them. */
import { sql } from 'kysely'
import { isHealthcareProfile } from '../../../platform/access/healthcare.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
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
  is_healthcare: boolean
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
        is_owner_decision: boolean
      }[]
    | null
  goals: { id: string; key: string }[] | null
}

export async function loadExportPolicy(db: Db | Tx, profileId: string): Promise<ExportPolicy> {
  const { rows } = await sql<Row>`
    select p.privacy_mode, ${isHealthcareProfile} as is_healthcare, s.conversions, s.healthcare_allowlist, s.agreement_signed_at, s.target, s.clean_dataset_id,
      (select json_agg(json_build_object('id', d.id, 'kind', d.kind, 'enabled', d.enabled, 'enabled_at', d.enabled_at,
         'event_map', d.event_map, 'data_source', d.data_source,
         'is_owner_decision', d.is_owner_decision) order by d.id)
       from export_destinations d where d.profile_id = ${profileId}) as destinations,
      (select json_agg(json_build_object('id', g.id, 'key', g.conversion_key))
       from goals g where g.profile_id = ${profileId}) as goals
    from profiles p join workspaces w on w.id = p.workspace_id left join export_settings s on s.profile_id = ${profileId}
    where p.id = ${profileId}`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error(`Profile ${profileId} does not exist.`)
  return {
    privacyMode: row.privacy_mode,
    isHealthcare: row.is_healthcare,
    conversions: row.conversions,
    healthcareAllowlist: row.healthcare_allowlist ?? [],
    hasAgreement: row.agreement_signed_at !== null,
    cleanDatasetId: row.target === 'clean_dataset' ? row.clean_dataset_id : null,
    destinations: (row.destinations ?? []).map((destination) => ({
      id: destination.id,
      kind: destination.kind,
      enabled: destination.enabled,
      enabledAt: Date.parse(destination.enabled_at),
      dataSource: destination.data_source,
      eventMap: destination.event_map,
      isOwnerDecision: destination.is_owner_decision,
    })),
    keys: new Map((row.goals ?? []).map((goal) => [goal.id, goal.key])),
  }
}
