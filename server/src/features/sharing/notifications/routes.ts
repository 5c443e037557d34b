import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const notificationRoutes: readonly Route[] = [
  route(contract.listNotifications, async (context) => {
    const { data, unread } = await operations.listNotifications(context)
    return { data, extra: { unread_count: unread } }
  }),
  ...bind(contract, { readNotifications: operations.readNotifications }),
]
