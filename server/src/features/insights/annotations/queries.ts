import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

type AnnotationRow = { id: string; day: string; text: string; created_at: Date; updated_at: Date }

const columns = ['id', 'day', 'text', 'created_at', 'updated_at'] as const

export async function listNotes(db: Db | Tx, params: { profileId: string; from: string; to: string }) {
  const { rows } = await sql<AnnotationRow>`
    select id, day, text, created_at, updated_at from annotations
    where profile_id = ${params.profileId} and day between ${params.from}::date and ${params.to}::date
    order by day, created_at, id`.execute(db)
  return rows
}

export async function countNotes(db: Db | Tx, params: { profileId: string }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count from annotations where profile_id = ${params.profileId}`.execute(db)
  return rows[0]!.count
}

export function insertNote(
  tx: Tx,
  note: { profileId: string; id: string; day: string; text: string; now: Date },
): Promise<AnnotationRow> {
  const { profileId, id, day, text, now } = note
  return tx
    .insertInto('annotations')
    .values({ profile_id: profileId, id, day, text, created_at: now, updated_at: now })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export function updateNote(
  tx: Tx,
  note: { profileId: string; id: string; day?: string | undefined; text?: string | undefined; now: Date },
): Promise<AnnotationRow | undefined> {
  return tx
    .updateTable('annotations')
    .set({
      updated_at: note.now,
      ...(note.day === undefined ? {} : { day: note.day }),
      ...(note.text === undefined ? {} : { text: note.text }),
    })
    .where('profile_id', '=', note.profileId)
    .where('id', '=', note.id)
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteNote(tx: Tx, params: { profileId: string; id: string }): Promise<boolean> {
  return (await rowsWhere(tx, 'annotations', { profile_id: params.profileId, id: params.id }).delete()) > 0
}
