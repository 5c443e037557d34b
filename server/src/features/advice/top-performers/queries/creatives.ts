/** Creative texts of ads. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type CreativeText = {
  ad_id: string
  title: string | null
  body: string | null
  cta_type: string | null
  video_id: string | null
}
const CREATIVE_BATCH = 2000

/** Reads in batches by ad id, because the texts of all ads may not fit in memory. */
export async function* readCreatives(db: Db | Tx, profileId: string): AsyncGenerator<CreativeText[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await sql<CreativeText>`
      select ad_id, title, body, cta_type, video_id from ad_creatives
      where profile_id = ${profileId} and ad_id > ${after}::uuid
      order by ad_id limit ${CREATIVE_BATCH}`.execute(db)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.ad_id
  }
}

/** Title and body of some ads, by ad. */
export async function loadTexts(
  db: Db | Tx,
  profileId: string,
  adIds: readonly string[],
): Promise<Map<string, { title: string | null; body: string | null }>> {
  const { rows } = await sql<{ ad_id: string; title: string | null; body: string | null }>`
    select ad_id, title, body from ad_creatives
    where profile_id = ${profileId} and ad_id = any(${[...adIds]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.ad_id, row]))
}
