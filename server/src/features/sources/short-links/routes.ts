import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const shortLinkRoutes: readonly Route[] = [
  route(contract.listShortLinks, async (context, { query }) => {
    const { data, pagination } = await operations.listShortLinks(context, query)
    return { data, extra: { pagination } }
  }),
  route(contract.createShortLink, async (context, { body }) => ({
    data: await operations.createShortLink(context, body),
  })),
  route(contract.updateShortLink, async (context, { params, body }) => ({
    data: await operations.updateShortLink(context, params.id, body),
  })),
  route(contract.deleteShortLink, async (context, { params }) => {
    await operations.deleteShortLink(context, params.id)
    return { data: null }
  }),
  route(contract.getShortLinkCode, async (context, { params, query }) => ({
    data: '',
    file: {
      contentType: 'image/svg+xml',
      bytes: await operations.getShortLinkCode(context, params.id, query),
    },
    headers: { 'cache-control': 'private, max-age=3600' },
  })),
]
