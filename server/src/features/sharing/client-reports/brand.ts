/** A workspace's branding for report files. The logo is decoded and re-encoded as a small PNG. */
import { BoundedCache } from '../../../platform/bounded-cache.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { findBrand, findLogo } from './queries.ts'
import type { Brand } from './render-html.ts'

const DEFAULT_COLOR = '#1d4ed8'
const MAX_PIXELS = 40_000_000
/** Cache of PNG logos, each at most 510 × 132 pixels. */
const logos = new BoundedCache<string, Promise<Buffer | null>>(64)

/** Default branding for pages on which loading the workspace's branding would cost too much. */
export const plainBrand: Brand = {
  name: '',
  primaryColor: DEFAULT_COLOR,
  logo: null,
  supportEmail: null,
  websiteUrl: null,
}

export async function loadBrand(db: Db | Tx, workspaceId: string): Promise<Brand> {
  const row = await findBrand(db, { workspaceId })
  return {
    name: row.display_name ?? row.name,
    primaryColor: row.primary_color ?? DEFAULT_COLOR,
    logo: row.logo_etag === null ? null : await loadLogo(db, workspaceId, row.logo_etag),
    supportEmail: row.support_email,
    websiteUrl: row.website_url,
  }
}

async function loadLogo(db: Db | Tx, workspaceId: string, etag: string): Promise<Buffer | null> {
  const key = `${workspaceId} ${etag}`
  const cached = logos.get(key)
  if (cached !== undefined) return cached
  const bytes = await findLogo(db, { workspaceId, etag })
  return bytes === null ? null : logos.recall(key, () => toPng(bytes))
}

/** Null if the logo cannot be decoded; the report then shows the name. */
async function toPng(bytes: Buffer): Promise<Buffer | null> {
  try {
    const { default: sharp } = await import('sharp')
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error' })
      .rotate()
      .resize(510, 132, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch {
    return null
  }
}
