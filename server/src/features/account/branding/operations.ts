import { createHash } from 'node:crypto'
import type { Service, WorkspaceContext } from '../../../context.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { sniffImage } from '../../../platform/image-type.ts'
import { MAX_LOGO_BYTES } from './contract.ts'
import { type Branding, type BrandingChange, findBranding, saveBranding } from './queries.ts'

type Raw = { contentType: string; bytes: Buffer } | null

const noBranding: Branding = {
  display_name: null,
  primary_color: null,
  accent_color: null,
  support_email: null,
  website_url: null,
}

export async function getBranding(context: Pick<WorkspaceContext, 'db' | 'workspaceId' | 'service'>) {
  const row = await findBranding(context.db, { workspaceId: context.workspaceId })
  const {
    logo_etag: etag,
    updated_at: updatedAt,
    ...fields
  } = row ?? {
    ...noBranding,
    logo_etag: null,
    updated_at: null,
  }
  return {
    ...fields,
    logo_url: etag === null ? null : logoUrl(context.service, context.workspaceId, etag),
    updated_at: updatedAt ?? null,
  }
}

function logoUrl(service: Service, workspaceId: string, etag: string): string {
  return `${service.config.BASE_URL}/branding/${workspaceId}/${etag}`
}

async function save(
  tx: Tx,
  context: WorkspaceContext,
  action: string,
  fields: BrandingChange,
): Promise<void> {
  const { workspaceId, now } = context
  await saveBranding(tx, { workspaceId, fields, now })
  await recordChange(tx, context, { workspaceId, action, subject: workspaceId })
}

export async function putBranding(context: WorkspaceContext, body: Branding) {
  return inTransaction(context.db, async (tx) => {
    await save(tx, context, 'branding.changed', body)
    return getBranding({ ...context, db: tx })
  })
}

/** The image and its type; throws if the bytes are not a supported image. */
export async function readLogo(raw: Raw) {
  const bytes = await readImage(raw)
  if (bytes.length === 0) throw new ApiError('invalid_content', 'The image is empty.')
  if (bytes.length > MAX_LOGO_BYTES) throw new ApiError('payload_too_large', 'A logo has at most 5 MiB.')
  const type = sniffImage(bytes)
  if (type === undefined)
    throw new ApiError('invalid_content', 'The bytes are not a PNG, JPEG, GIF or WebP image.')
  return { bytes, type }
}

export async function uploadLogo(context: WorkspaceContext, raw: Raw) {
  const { bytes, type } = await readLogo(raw)
  const etag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return inTransaction(context.db, async (tx) => {
    await save(tx, context, 'branding.logo_uploaded', { logo: bytes, logo_type: type, logo_etag: etag })
    return getBranding({ ...context, db: tx })
  })
}

/** The request body, or the only file of a form. */
async function readImage(raw: Raw): Promise<Buffer> {
  if (raw === null)
    throw new ApiError('invalid_content', 'Send the image itself, or multipart/form-data with one file.')
  if (!raw.contentType.toLowerCase().startsWith('multipart/form-data')) return raw.bytes
  const files = await parseFormFiles(raw.contentType, raw.bytes)
  const [file] = files
  if (file === undefined || files.length > 1)
    throw new ApiError('invalid_content', 'The form must contain exactly one file.')
  return Buffer.from(await file.arrayBuffer())
}

async function parseFormFiles(contentType: string, bytes: Buffer): Promise<Blob[]> {
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData()
    return [...form.values()].filter((part): part is File => typeof part !== 'string')
  } catch (cause) {
    throw new ApiError('invalid_content', 'The form could not be read.', { cause })
  }
}

export async function removeLogo(context: WorkspaceContext): Promise<void> {
  await inTransaction(context.db, (tx) =>
    save(tx, context, 'branding.logo_removed', { logo: null, logo_type: null, logo_etag: null }),
  )
}
