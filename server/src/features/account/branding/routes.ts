import { type Route, route } from '../../../platform/http/route.ts'
import { getBranding, putBranding, removeLogo, uploadLogo } from './contract.ts'
import * as operations from './operations.ts'

export const brandingRoutes: readonly Route[] = [
  route(getBranding, async (context) => ({ data: await operations.getBranding(context) })),
  route(putBranding, async (context, { body }) => ({ data: await operations.putBranding(context, body) })),
  route(
    uploadLogo,
    async (context, { raw }) => ({ data: await operations.uploadLogo(context, raw) }),
    ({ raw }) => operations.readLogo(raw),
  ),
  route(removeLogo, async (context) => {
    await operations.removeLogo(context)
    return { data: null }
  }),
]
