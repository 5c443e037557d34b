import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { createChatTemplate } from './create.ts'
import { listChatTemplates, syncChatTemplates } from './operations.ts'

export const chatTemplateRoutes: readonly Route[] = [
  route(contract.listChatTemplates, async (context, { query }) => ({
    data: await listChatTemplates(context, query),
  })),
  route(contract.createChatTemplate, async (context, { body }) => ({
    data: await createChatTemplate(context, body),
  })),
  route(contract.syncChatTemplates, async (context) => ({ data: await syncChatTemplates(context) })),
]
