/** The workspace's branding as a file can show it: the logo decoded and written again as a small PNG. */
import sharp from 'sharp'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { findBrand } from './queries.ts'
import type { Brand } from './render-html.ts'

const DEFAULT_COLOR = '#1d4ed8'
const MAX_PIXELS = 40_000_000

export async function brandOf(db: Db | Tx, workspaceId: string): Promise<Brand> {
  const row = await findBrand(db, { workspaceId })
  return {
    name: row.display_name ?? row.name,
    primaryColor: row.primary_color ?? DEFAULT_COLOR,
    logo: row.logo === null ? null : await toPng(row.logo),
    supportEmail: row.support_email,
    websiteUrl: row.website_url,
  }
}

/** A logo that cannot be decoded is left out; the name is shown instead. */
async function toPng(bytes: Buffer): Promise<Buffer | null> {
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' })
      .rotate()
      .resize(510, 132, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch {
    return null
  }
}
