import { sql } from 'kysely'
import type { ChatAccount, ChatTemplate } from '../../../connectors/connector.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

export type TemplateRow = {
  account_id: string
  template_id: string
  name: string
  language: string
  status: string | null
  category: string | null
  updated_at: Date
}

export async function listTemplates(
  db: Db | Tx,
  params: { profileId: string; name?: string | undefined; language?: string | undefined },
): Promise<TemplateRow[]> {
  const { name, language } = params
  const { rows } = await sql<TemplateRow>`
    select account_id, template_id, name, language, status, category, updated_at from chat_templates
    where profile_id = ${params.profileId}
      ${name === undefined ? sql`` : sql`and name = ${name}`}
      ${language === undefined ? sql`` : sql`and language = ${language}`}
    order by name, language, account_id, template_id`.execute(db)
  return rows
}

export type AccountTemplates = ChatAccount & { templates: ChatTemplate[] }

/** Replaces the stored templates with those that the platform lists. */
export async function replaceTemplates(
  tx: Tx,
  params: { profileId: string; connectionId: string; accounts: readonly AccountTemplates[]; now: Date },
): Promise<{ added: number; removed: number }> {
  const { profileId, connectionId, accounts, now } = params
  const deleted = await sql<{ key: string }>`
    delete from chat_templates where profile_id = ${profileId}
    returning account_id || ' ' || template_id as key`.execute(tx)
  await sql`delete from chat_accounts where profile_id = ${profileId}`.execute(tx)
  for (const account of accounts) {
    await sql`
      insert into chat_accounts (profile_id, account_id, connection_id, name, synced_at)
      values (${profileId}, ${account.id}, ${connectionId}, ${account.name}, ${now})`.execute(tx)
    await sql`
      insert into chat_templates (profile_id, account_id, template_id, name, language, status, category, updated_at)
      select ${profileId}::uuid, ${account.id}::text, r.id, r.name, r.language, r.status, r.category, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(account.templates)}::jsonb)
        as r(id text, name text, language text, status text, category text)
      on conflict (profile_id, account_id, template_id) do nothing`.execute(tx)
  }
  const stored = new Set(deleted.rows.map((row) => row.key))
  const listed = new Set(
    accounts.flatMap((account) => account.templates.map((template) => `${account.id} ${template.id}`)),
  )
  return {
    added: [...listed].filter((key) => !stored.has(key)).length,
    removed: [...stored].filter((key) => !listed.has(key)).length,
  }
}

export async function insertTemplate(tx: Tx, params: { profileId: string; row: TemplateRow }): Promise<void> {
  const { account_id, template_id, name, language, status, category, updated_at } = params.row
  await sql`
    insert into chat_templates (profile_id, account_id, template_id, name, language, status, category, updated_at)
    values (${params.profileId}, ${account_id}, ${template_id}, ${name}, ${language}, ${status}, ${category}, ${updated_at})
    on conflict (profile_id, account_id, template_id) do update set status = excluded.status,
      category = excluded.category, updated_at = excluded.updated_at`.execute(tx)
}
