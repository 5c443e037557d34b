import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { incrementReportVersion } from '../../../platform/db/profile-lock.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { VocabularyEntry } from './contract.ts'

export async function listEntries(db: Db | Tx, params: { profileId: string }): Promise<VocabularyEntry[]> {
  const { rows } = await sql<Omit<VocabularyEntry, 'is_own'>>`
    select key, label_en, label_es, channels from declared_vocabulary
    where profile_id = ${params.profileId} order by position`.execute(db)
  return rows.map((row) => ({ ...row, is_own: true }))
}

export async function replaceEntries(
  tx: Tx,
  params: { profileId: string; entries: readonly Omit<VocabularyEntry, 'is_own'>[] },
): Promise<void> {
  const { profileId } = params
  await rowsWhere(tx, 'declared_vocabulary', { profile_id: profileId }).delete()
  await incrementReportVersion(tx, profileId)
  if (params.entries.length === 0) return
  await tx
    .insertInto('declared_vocabulary')
    .values(
      params.entries.map(({ key, label_en, label_es, channels }, position) => ({
        profile_id: profileId,
        key,
        label_en,
        label_es,
        channels,
        position,
      })),
    )
    .execute()
}

export type AnswerRow = {
  profileId: string
  id: string
  answerKey: string
  answerText: string | null
  identifierId: string | null
  orderRef: string | null
  source: 'api' | 'tracker' | 'hosted'
  askedAt: Date
  now: Date
}

export function saveAnswer(db: Db | Tx, row: AnswerRow): Promise<void> {
  return inTransaction(db, async (tx) => {
    await insertAnswer(tx, row)
    await incrementReportVersion(tx, row.profileId)
  })
}

async function insertAnswer(tx: Tx, row: AnswerRow): Promise<void> {
  await sql`
    insert into declared_answers (profile_id, id, answer_key, answer_text, identifier_id, order_ref, source, asked_at, created_at)
    values (${row.profileId}, ${row.id}, ${row.answerKey}, ${row.answerText}, ${row.identifierId}, ${row.orderRef}, ${row.source},
      ${row.askedAt}, ${row.now})
    on conflict (profile_id, id) do update set answer_key = excluded.answer_key, answer_text = excluded.answer_text,
      identifier_id = excluded.identifier_id, order_ref = excluded.order_ref, source = excluded.source,
      asked_at = excluded.asked_at`.execute(tx)
}
