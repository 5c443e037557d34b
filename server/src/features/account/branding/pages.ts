/** Serves logos publicly. The address contains a hash of the content, so responses can be cached forever. */
import { isUuid } from '../../../platform/contract/ids.ts'
import type { PageRoute } from '../../../platform/http/page-route.ts'
import { findLogo } from './queries.ts'

export const brandingPages: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/branding/{workspaceId}/{etag}',
    async handle(service, { params }) {
      const { workspaceId = '', etag = '' } = params
      const logo =
        isUuid(workspaceId) && /^[0-9a-f]{32}$/.test(etag)
          ? await findLogo(service.db, { workspaceId, etag })
          : undefined
      if (logo === undefined) return { status: 404, body: 'No such logo.' }
      return {
        status: 200,
        headers: {
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'cross-origin',
        },
        body: logo.bytes,
        contentType: logo.type,
      }
    },
  },
]
