/**
 * Platforms report the ad of a click id days after the click. Touches with the id and without an ad are then reprocessed
 * through the event queue. Used resolutions are kept, unused ones expire.
 */
import { sql } from 'kysely'
import type { AdClickRecord } from '../../../connectors/connector.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import { enqueueEvents } from '../../facts/events/queue.ts'
import type { StoredEvent, StoredTouch } from '../../facts/events/stored.ts'
import { meaningOf } from '../../facts/events/touch.ts'

/** Clicks without a visit are deleted after this time. */
const KEEP_UNUSED_DAYS = 100

/** Kinds of click ids that a platform can resolve. */
const RESOLVABLE: ReadonlySet<string> = new Set<AdClickRecord['clickIdKind']>(['gclid', 'msclkid'])

/** Takes the profile's lock, so that no event is processed between saving its click and looking for its touches. */
export async function saveClicks(
  tx: Tx,
  params: { profileId: string; connectionId: string; records: readonly AdClickRecord[]; now: Date },
): Promise<void> {
  const { profileId, connectionId, records, now } = params
  if (records.length === 0) return
  await lockProfile(tx, profileId)
  const rows = [...new Map(records.map((record) => [record.externalId, record])).values()].map((record) => ({
    click_id_kind: record.clickIdKind,
    click_id: record.externalId,
    day: record.day,
    campaign_external_id: record.campaignExternalId,
    ad_set_external_id: record.adSetExternalId,
    ad_external_id: record.adExternalId,
  }))
  const { rows: inserted } = await sql<{ click_id: string }>`
    insert into ad_clicks (profile_id, connection_id, click_id_kind, click_id, day, campaign_external_id,
      ad_set_external_id, ad_external_id, is_used)
    select ${anchoredProfileId(tx, profileId)}, ${connectionId}::uuid, r.click_id_kind, r.click_id, r.day, r.campaign_external_id,
      r.ad_set_external_id, r.ad_external_id, false
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(click_id_kind text, click_id text, day date,
      campaign_external_id text, ad_set_external_id text, ad_external_id text)
    ${joinAnchor(tx, profileId)}
    on conflict (profile_id, click_id_kind, click_id) do nothing
    returning click_id`.execute(tx)
  await requeueTouches(
    tx,
    profileId,
    inserted.map((row) => row.click_id),
  )
  await sql`
    delete from ad_clicks
    where profile_id = ${profileId} and day < ${addDays(now.toISOString().slice(0, 10), -KEEP_UNUSED_DAYS)}::date
      and not is_used`.execute(tx)
}

async function requeueTouches(tx: Tx, profileId: string, clickIds: readonly string[]): Promise<void> {
  if (clickIds.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id from touches
    where profile_id = ${profileId} and click_id = any(${[...clickIds]}::text[])
      and click_id is not null and ad_external_id is null`.execute(tx)
  if (rows.length === 0) return
  const eventIds = rows.map((row) => row.id)
  await enqueueEvents(tx, { profileId, eventIds, cause: 'connection_backfill' })
}

type Resolution = {
  click_id_kind: string
  click_id: string
  campaign_external_id: string | null
  ad_set_external_id: string | null
  ad_external_id: string | null
}

const isUnresolved = (touch: StoredTouch | undefined): touch is StoredTouch & { click_id: string } =>
  touch !== undefined &&
  touch.ad_id === null &&
  touch.click_id !== null &&
  RESOLVABLE.has(touch.click_id_kind ?? '')

/** Events with a resolved click, with the ad added to their touch. */
export async function withResolvedClicks(
  tx: Tx,
  profileId: string,
  events: readonly StoredEvent[],
): Promise<Map<string, StoredEvent>> {
  const unresolved = events.filter((event) => isUnresolved(event.body.touch))
  if (unresolved.length === 0) return new Map()
  const { rows } = await sql<Resolution>`
    update ad_clicks set is_used = true
    where profile_id = ${profileId} and click_id = any(${unresolved.map((event) => event.body.touch!.click_id!)}::text[])
    returning click_id_kind, click_id, campaign_external_id, ad_set_external_id, ad_external_id`.execute(tx)
  const byClick = new Map(rows.map((row) => [`${row.click_id_kind}:${row.click_id}`, row]))
  return new Map(
    unresolved.flatMap((event) => {
      const touch = event.body.touch!
      const click = byClick.get(`${touch.click_id_kind}:${touch.click_id}`)
      return click === undefined
        ? []
        : [[event.id, { ...event, body: { ...event.body, touch: toResolved(touch, click) } }]]
    }),
  )
}

/** The platform's data on its own click takes precedence over the parameters of the link. */
function toResolved(touch: StoredTouch, click: Resolution): StoredTouch {
  return {
    ...touch,
    ...meaningOf(touch.click_id_kind!, true),
    campaign_id: click.campaign_external_id ?? touch.campaign_id,
    ad_set_id: click.ad_set_external_id ?? touch.ad_set_id,
    ad_id: click.ad_external_id,
  }
}
