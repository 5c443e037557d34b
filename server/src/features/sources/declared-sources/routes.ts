import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const declaredSourceRoutes: readonly Route[] = [
  route(contract.getDeclaredVocabulary, async (context) => ({
    data: await operations.getDeclaredVocabulary(context),
  })),
  route(contract.saveDeclaredVocabulary, async (context, { body }) => ({
    data: await operations.saveDeclaredVocabulary(context, body.entries),
  })),
  route(contract.declareSource, async (context, { body }) => ({
    data: await operations.declareSource(context, body),
  })),
]
