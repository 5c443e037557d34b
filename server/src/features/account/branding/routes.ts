import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const brandingRoutes: readonly Route[] = [
  ...bind(contract, { getBranding: operations.getBranding, putBranding: operations.putBranding }),
  route(
    contract.uploadLogo,
    async (context, { raw }) => ({ data: await operations.uploadLogo(context, raw) }),
    ({ raw }) => operations.readLogo(raw),
  ),
  ...bind(contract, { removeLogo: operations.removeLogo }),
]
