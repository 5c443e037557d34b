import { isUuid } from '../../../platform/contract/ids.ts'
import type { PageRoute } from '../../../platform/http/page-route.ts'
import { readThumbnailName } from '../../facts/ads/thumbnail-rules.ts'
import { openShared } from './share.ts'
import { getThumbnail } from './thumbnails.ts'

export const topPerformerPages: readonly PageRoute[] = [
  { method: 'GET', path: '/share/top-performers/{token}', handle: openShared },
  { method: 'POST', path: '/share/top-performers/{token}', bodyLimit: 4096, handle: openShared },
  {
    method: 'GET',
    path: '/thumbnails/{profileId}/{adId}/{name}',
    async handle(service, { params }) {
      const { profileId = '', adId = '', name = '' } = params
      const image =
        isUuid(profileId) && isUuid(adId)
          ? readThumbnailName(service.identityPepper, { profileId, adId, name })
          : undefined
      const bytes = image === undefined ? null : await getThumbnail(service, image)
      if (bytes === null) return { status: 404, body: 'No such thumbnail.' }
      return {
        status: 200,
        headers: {
          'cache-control': 'private, max-age=86400',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-site',
          'x-content-type-options': 'nosniff',
        },
        body: bytes,
        contentType: 'image/webp',
      }
    },
  },
]
