import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const declaredSourceRoutes: readonly Route[] = [
  ...bind(contract, { getDeclaredVocabulary: operations.getDeclaredVocabulary }),
  route(contract.saveDeclaredVocabulary, async (context, { body }) => ({
    data: await operations.saveDeclaredVocabulary(context, body.entries),
  })),
  ...bind(contract, { declareSource: operations.declareSource }),
]
