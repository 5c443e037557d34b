import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { resolveChatCode } from './operations.ts'

export const chatCodeRoutes: readonly Route[] = bind(contract, { resolveChatCode })
