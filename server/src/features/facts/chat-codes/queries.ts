import { sql } from 'kysely'
import { hashOfChatCode } from '../../../connectors/chat-code.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** A code is stored and compared as its hash only. */
export const hashOfCode = (code: string): Buffer => Buffer.from(hashOfChatCode(code), 'hex')

/** A code that no one has used is forgotten after this time. */
const UNUSED_DAYS = 30
export const oldestUsable = (now: Date) => new Date(now.getTime() - UNUSED_DAYS * DAY_MS)

export type NewCode = {
  profileId: string
  codeHash: Buffer
  visitorIdentifierId: string | null
  eventId: string | null
  shortLinkId: string | null
  pagePath?: string | null
  now: Date
}

/** A conversation that used the code before its click arrived. */
export type WaitingConversation = { code_hash: Buffer; conversation_id: string; used_at: Date }

/** Keeps the first owner of a code; returns the conversations that wait for one of them. Drops old ones. */
export async function insertCodes(db: Db | Tx, codes: readonly NewCode[]): Promise<WaitingConversation[]> {
  const [first] = codes
  if (first === undefined) return []
  await sql`
    delete from chat_codes where profile_id = ${first.profileId} and conversation_id is null
      and created_at < ${oldestUsable(first.now)}`.execute(db)
  const waiting: WaitingConversation[] = []
  for (const code of codes) {
    const { rows } = await sql<WaitingConversation & { conversation_id: string | null }>`
      insert into chat_codes as old (profile_id, code_hash, visitor_identifier_id, event_id, short_link_id, page_path,
        created_at)
      values (${code.profileId}, ${code.codeHash}, ${code.visitorIdentifierId}, ${code.eventId}, ${code.shortLinkId},
        ${code.pagePath ?? null}, ${code.now})
      on conflict (profile_id, code_hash) do update set visitor_identifier_id = excluded.visitor_identifier_id,
        event_id = excluded.event_id, short_link_id = excluded.short_link_id, page_path = excluded.page_path
      where old.visitor_identifier_id is null and old.short_link_id is null
      returning code_hash, conversation_id, used_at`.execute(db)
    waiting.push(...rows.filter((row) => row.conversation_id !== null))
  }
  return waiting
}

export async function countCodesOfVisitor(
  db: Db | Tx,
  params: { profileId: string; visitorIdentifierId: string; since: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from chat_codes where profile_id = ${params.profileId}
      and visitor_identifier_id = ${params.visitorIdentifierId} and created_at > ${params.since}`.execute(db)
  return rows[0]!.count
}

export type FoundCode = {
  visitor_identifier_id: string | null
  short_link_id: string | null
  created_at: Date
  used_at: Date | null
  conversation_id: string | null
  effective_source: string | null
  effective_medium: string | null
  effective_campaign: string | null
  ad: Record<string, string> | null
}

/** With the source of its short link. The caller holds the profile's lock. */
export async function findCode(
  tx: Tx,
  params: { profileId: string; codeHash: Buffer },
): Promise<FoundCode | undefined> {
  const { profileId } = params
  const { rows } = await sql<FoundCode>`
    select c.visitor_identifier_id, c.short_link_id, c.created_at, c.used_at, c.conversation_id,
      l.effective_source, l.effective_medium, l.effective_campaign, l.ad
    from chat_codes c
    left join short_links l on l.profile_id = ${profileId} and l.id = c.short_link_id
    where c.profile_id = ${profileId} and c.code_hash = ${params.codeHash}`.execute(tx)
  return rows[0]
}

export async function markUsed(
  tx: Tx,
  params: { profileId: string; codeHash: Buffer; conversationId: string | null; usedAt: Date },
): Promise<void> {
  await sql`
    update chat_codes set used_at = ${params.usedAt}, conversation_id = ${params.conversationId}
    where profile_id = ${params.profileId} and code_hash = ${params.codeHash}`.execute(tx)
}

/** The click of this code may still arrive. */
export async function insertUnknownCode(
  tx: Tx,
  params: { profileId: string; codeHash: Buffer; conversationId: string; usedAt: Date; now: Date },
): Promise<void> {
  await sql`
    insert into chat_codes (profile_id, code_hash, created_at, used_at, conversation_id)
    values (${params.profileId}, ${params.codeHash}, ${params.now}, ${params.usedAt}, ${params.conversationId})
    on conflict (profile_id, code_hash) do nothing`.execute(tx)
}

export async function countRepeat(tx: Tx, params: { profileId: string; codeHash: Buffer }): Promise<void> {
  await sql`
    update chat_codes set repeats = repeats + 1
    where profile_id = ${params.profileId} and code_hash = ${params.codeHash}`.execute(tx)
}

/** The person of a conversation, as an identifier with its kind. */
export async function findWriter(tx: Tx, params: { profileId: string; conversationId: string }) {
  const { rows } = await sql<{ id: string; kind: number; channel: string; external_id: string }>`
    select i.id, i.kind, c.channel, c.external_id from conversations c
    join identifiers i on i.profile_id = ${params.profileId} and i.id = c.identifier_id
    where c.profile_id = ${params.profileId} and c.id = ${params.conversationId}`.execute(tx)
  return rows[0]
}

/** The known customers of identifiers, by identifier; nothing for anonymous ones. */
export async function knownCustomersOf(
  tx: Tx,
  params: { profileId: string; ids: readonly string[]; anonymousKind: number },
): Promise<Map<string, string>> {
  const { profileId } = params
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select i.id, i.customer_id from identifiers i
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    where i.profile_id = ${profileId} and i.id = any(${[...params.ids]}::uuid[])
      and k.kind < ${params.anonymousKind}`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}
