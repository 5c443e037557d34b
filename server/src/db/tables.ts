/**
 * How each table lives on Citus. Distributed tables carry `profile_id` and are sharded by it,
 * reference tables are copied to every node, local ones stay on the coordinator.
 */
export type TableKind = 'distributed' | 'reference' | 'local'

export const tableKinds: Record<string, TableKind> = {
  schema_migrations: 'local',
  service_clock: 'local',
}
