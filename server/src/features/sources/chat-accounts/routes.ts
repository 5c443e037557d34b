import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const chatAccountRoutes: readonly Route[] = [
  route(
    contract.uploadChatMedia,
    async (context, { raw }) => ({
      data: await operations.uploadChatMedia(context, await operations.readUpload(raw)),
    }),
    ({ raw }) => operations.readUpload(raw),
  ),
  route(contract.getChatMedia, async (context, { params }) => {
    const { bytes, contentType } = await operations.getChatMedia(context, params.media_id)
    // A file that a stranger sent is never shown as a page of ours.
    const headers = { 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff' }
    return { data: '', headers, file: { contentType, bytes: Buffer.from(bytes) } }
  }),
  route(contract.listChatNumbers, async (context) => ({ data: await operations.listChatNumbers(context) })),
  route(contract.requestChatCode, async (context, { params, body }) => ({
    data: await operations.requestChatCode(context, params.id, body),
  })),
  route(contract.registerChatNumber, async (context, { params, body }) => ({
    data: await operations.registerChatNumber(context, params.id, body),
  })),
]
