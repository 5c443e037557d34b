/** The service's own copies of thumbnails. */
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'

type Ad = { profileId: string; adId: string }
export type StoredThumbnail = {
  source_url: string | null
  source_hash: string | null
  content_type: string | null
  bytes: Buffer | null
  fetched_at: Date | null
}

export async function findThumbnail(db: Db, { profileId, adId }: Ad): Promise<StoredThumbnail | undefined> {
  const { rows } = await sql<StoredThumbnail>`
    select k.thumbnail_url as source_url, t.source_hash, t.content_type, t.bytes, t.fetched_at
    from ad_creatives k left join ad_thumbnails t on t.profile_id = ${profileId} and t.ad_id = k.ad_id
    where k.profile_id = ${profileId} and k.ad_id = ${adId}`.execute(db)
  return rows[0]
}

export async function saveThumbnail(
  db: Db,
  { profileId, adId }: Ad,
  image: { sourceHash: string; bytes: Buffer | null; now: Date },
): Promise<void> {
  const type = image.bytes === null ? null : 'image/webp'
  await sql`
    insert into ad_thumbnails (profile_id, ad_id, source_hash, content_type, bytes, fetched_at)
    values (${profileId}, ${adId}, ${image.sourceHash}, ${type}, ${image.bytes}, ${image.now})
    on conflict (profile_id, ad_id) do update set source_hash = excluded.source_hash, content_type = excluded.content_type,
      bytes = excluded.bytes, fetched_at = excluded.fetched_at`.execute(db)
}
