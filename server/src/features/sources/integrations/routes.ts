import { type Route, route } from '../../../platform/http/route.ts'
import { toConnection } from '../connections/to-connection.ts'
import * as banklink from './banklink.ts'
import * as contract from './contract.ts'
import * as stores from './manual-stores.ts'
import * as operations from './operations.ts'
import * as pages from './pages-tracked.ts'

export const integrationRoutes: readonly Route[] = [
  route(contract.listManualStores, async (context) => ({ data: await stores.listManualStores(context) })),
  route(
    contract.createManualStore,
    async (context, { body }) => ({
      data: await stores.createManualStore(context, body.shop),
    }),
    ({ body }) => stores.checkShop(body.shop),
  ),
  route(contract.setSigningId, async (context, { params, body }) => ({
    data: await stores.setSigningId(context, params.connectionId, body.signing_id),
  })),
  route(contract.deleteManualStore, async (context, { params }) => {
    await stores.deleteManualStore(context, params.connectionId)
    return { data: null }
  }),
  route(contract.activateWebPixel, async (context) => ({ data: await operations.activateWebPixel(context) })),
  route(contract.listPages, async (context) => ({ data: await pages.listPages(context) })),
  route(contract.listAvailablePages, async (context) => ({
    data: await pages.listAvailablePages(context),
  })),
  route(contract.trackPages, async (context, { body }) => ({
    data: await pages.trackPages(context, body.page_ids),
  })),
  route(contract.getChatbot, async (context) => ({
    data: toConnection(await operations.getChatbot(context)),
  })),
  route(contract.saveChatbot, async (context, { body }) => ({
    data: toConnection(await operations.saveChatbot(context, body)),
  })),
  route(contract.startBankLink, async (context) => ({ data: await banklink.startBankLink(context) })),
  route(contract.connectBankLink, async (context, { body }) => ({
    data: toConnection(await banklink.connectBankLink(context, body)),
  })),
  route(contract.prefillOutcomes, async (context) => ({ data: await operations.prefillOutcomes(context) })),
]
