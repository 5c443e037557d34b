import { Readable } from 'node:stream'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { openUpload } from './upload.ts'

export const chatAccountRoutes: readonly Route[] = [
  route(
    contract.uploadChatMedia,
    async (context, { stream }) => ({
      data: await operations.uploadChatMedia(context, await openUpload(stream)),
    }),
    ({ stream }) => openUpload(stream),
    async ({ stream }) => (await openUpload(stream)).digest(),
  ),
  route(contract.getChatMedia, async (context, { params }) => {
    const { chunks, size, contentType } = await operations.getChatMedia(context, params.media_id)
    // Served as an attachment, so that a browser never renders an untrusted file on our origin.
    const headers = {
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      ...(size === null ? {} : { 'content-length': String(size) }),
    }
    return {
      data: '',
      headers,
      file: { contentType, size, bytes: Readable.from(chunks, { objectMode: false }) },
    }
  }),
  ...bind(contract, {
    listChatNumbers: operations.listChatNumbers,
    requestChatCode: operations.requestChatCode,
    registerChatNumber: operations.registerChatNumber,
  }),
]
