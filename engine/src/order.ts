export type Recorded = { id: string; occurredAt: number; recordedAt: number }

/** Ascending by (occurredAt, recordedAt, id). Ids compare by code unit, like UUIDs in the database. */
export function compareRecorded(a: Recorded, b: Recorded): number {
  return (
    a.occurredAt - b.occurredAt || a.recordedAt - b.recordedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}
