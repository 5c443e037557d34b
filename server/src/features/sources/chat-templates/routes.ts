import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { createChatTemplate } from './create.ts'
import { listChatTemplates, syncChatTemplates } from './operations.ts'

export const chatTemplateRoutes: readonly Route[] = bind(contract, {
  listChatTemplates,
  createChatTemplate,
  syncChatTemplates,
})
