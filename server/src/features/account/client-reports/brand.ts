/** The workspace's branding as a file can show it: the logo decoded and written again as a small PNG. */
import { BoundedCache } from '../../../platform/bounded-cache.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { findBrand, findLogo } from './queries.ts'
import type { Brand } from './render-html.ts'

const DEFAULT_COLOR = '#1d4ed8'
const MAX_PIXELS = 40_000_000
/** Each is at most 510 × 132 pixels. */
const logos = new BoundedCache<string, Promise<Buffer | null>>(64)

/** Where reading the workspace's own would cost too much. */
export const plainBrand: Brand = {
  name: '',
  primaryColor: DEFAULT_COLOR,
  logo: null,
  supportEmail: null,
  websiteUrl: null,
}

export async function brandOf(db: Db | Tx, workspaceId: string): Promise<Brand> {
  const row = await findBrand(db, { workspaceId })
  return {
    name: row.display_name ?? row.name,
    primaryColor: row.primary_color ?? DEFAULT_COLOR,
    logo: row.logo_etag === null ? null : await logoOf(db, workspaceId, row.logo_etag),
    supportEmail: row.support_email,
    websiteUrl: row.website_url,
  }
}

async function logoOf(db: Db | Tx, workspaceId: string, etag: string): Promise<Buffer | null> {
  const key = `${workspaceId} ${etag}`
  const known = logos.get(key)
  if (known !== undefined) return known
  const bytes = await findLogo(db, { workspaceId, etag })
  return bytes === null ? null : logos.recall(key, () => toPng(bytes))
}

/** A logo that cannot be decoded is left out; the name is shown instead. */
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
