import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { activateWebPixel } from './web-pixel.ts'

export const manualStoreRoutes: readonly Route[] = [
  ...bind(contract, { listManualStores: operations.listManualStores }),
  route(
    contract.createManualStore,
    async (context, { body }) => ({
      data: await operations.createManualStore(context, body.shop),
    }),
    ({ body }) => operations.checkShop(body.shop),
  ),
  ...bind(contract, {
    setSigningId: operations.setSigningId,
    deleteManualStore: operations.deleteManualStore,
    activateWebPixel,
  }),
]
