/** Submits a new template to the platform's review, with a sample if its header is a file. */
import type { z } from 'zod'
import { type MediaFile, mediaKindOf, mediaLimits } from '../../../connectors/chat-media.ts'
import { ProviderError } from '../../../connectors/connector.ts'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { mediaError, refusedAs, withChat } from '../chat-accounts/operations.ts'
import type { ChatTemplate, createChatTemplate as createEntry } from './contract.ts'
import { insertTemplate } from './queries.ts'

const BUDGET_MS = 60_000

export async function createChatTemplate(
  context: ProfileContext,
  { header_media: headerMedia, ...template }: z.output<(typeof createEntry)['body'] & object>,
): Promise<z.input<typeof ChatTemplate>> {
  const header = headerMedia && (await headerOf(context, headerMedia.media_id))
  const { accountId, created } = await withChat(
    context,
    BUDGET_MS,
    async (session, connector, id) => ({
      accountId: id,
      created: await connector.chat!.createTemplate(session, id, {
        ...template,
        category: template.category.toUpperCase(),
        components: header === undefined ? template.components : [header, ...template.components],
      }),
    }),
    refusedAs('components'),
  )
  const { name, language } = template
  return inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const row = {
      account_id: accountId,
      template_id: created.id,
      name,
      language,
      ...stateOf(created),
      updated_at: now,
    }
    await insertTemplate(tx, { profileId: context.profile.id, row })
    const { template_id: id, updated_at, ...fields } = row
    return { id, ...fields, updated_at, insights: null }
  })
}

const stateOf = ({ status, category }: { status: string | null; category: string | null }) => ({
  status,
  category,
})

async function headerOf(context: ProfileContext, mediaId: string): Promise<Record<string, unknown>> {
  const sample = await withChat(
    context,
    BUDGET_MS,
    async (session, connector) => {
      const { size, ...media } = await connector.chat!.readMedia(session, mediaId)
      if (size === null)
        throw new ProviderError('malformed', 'The platform does not report the size of the file')
      const file = { ...media, size }
      return { format: formatOf(file), handle: await connector.chat!.uploadSample(session, file) }
    },
    mediaError,
  )
  return { type: 'HEADER', format: sample.format, example: { header_handle: [sample.handle] } }
}

function formatOf({ contentType, size }: MediaFile): 'IMAGE' | 'VIDEO' | 'DOCUMENT' {
  const kind = mediaKindOf(contentType)
  if (kind === 'audio' || (kind === 'document' && contentType !== 'application/pdf'))
    throw new ApiError('validation_error', 'must be an image, a video or a PDF.', { field: 'header_media' })
  if (size > mediaLimits[kind])
    throw new ApiError(
      'payload_too_large',
      `A sample ${kind} may have at most ${mediaLimits[kind] / 2 ** 20} MB.`,
    )
  return ({ image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' } as const)[kind]
}
