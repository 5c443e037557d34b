import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type Branding = {
  display_name: string | null
  primary_color: string | null
  accent_color: string | null
  support_email: string | null
  website_url: string | null
}
type Logo = { logo: Buffer | null; logo_type: string | null; logo_etag: string | null }
export type BrandingChange = Branding | Logo

export function findBranding(db: Db | Tx, params: { workspaceId: string }) {
  return rowsWhere(db, 'workspace_branding', { workspace_id: params.workspaceId }).find([
    'display_name',
    'primary_color',
    'accent_color',
    'support_email',
    'website_url',
    'logo_etag',
    'updated_at',
  ])
}

export async function saveBranding(
  tx: Tx,
  params: { workspaceId: string; fields: BrandingChange; now: Date },
): Promise<void> {
  const row = { ...params.fields, updated_at: params.now }
  await tx
    .insertInto('workspace_branding')
    .values({ workspace_id: params.workspaceId, ...row })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute()
}

export async function findLogo(
  db: Db | Tx,
  params: { workspaceId: string; etag: string },
): Promise<{ bytes: Buffer; type: string } | undefined> {
  const row = await db
    .selectFrom('workspace_branding as b')
    .innerJoin('workspaces as w', 'w.id', 'b.workspace_id')
    .select(['b.logo', 'b.logo_type'])
    .where('b.workspace_id', '=', params.workspaceId)
    .where('b.logo_etag', '=', params.etag)
    .where('w.archived_at', 'is', null)
    .executeTakeFirst()
  if (row?.logo == null || row.logo_type === null) return undefined
  return { bytes: row.logo, type: row.logo_type }
}
