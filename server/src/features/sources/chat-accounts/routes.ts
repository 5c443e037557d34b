import { bind, type Route, route } from '../../../platform/http/route.ts'
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
  ...bind(contract, {
    listChatNumbers: operations.listChatNumbers,
    requestChatCode: operations.requestChatCode,
    registerChatNumber: operations.registerChatNumber,
  }),
]
