import { type Route, route } from '../../../platform/http/route.ts'
import { getHandoff, mintHandoff } from './contract.ts'
import * as operations from './operations.ts'

export const handoffRoutes: readonly Route[] = [
  route(
    mintHandoff,
    async (context, { params, body }) => ({
      data: await operations.mintHandoff(context, params.provider, body),
    }),
    ({ params, body }, { service }) => operations.checkShop(service, params.provider, body.shop),
  ),
  route(getHandoff, async (context, { params }) => {
    const { handoff, scope } = await operations.getHandoff(context, params.id)
    return { data: handoff, meta: scope }
  }),
]
