import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { declareSource, getDeclaredVocabulary, saveDeclaredVocabulary } from './operations.ts'

export const declaredSourceRoutes: readonly Route[] = bind(contract, {
  getDeclaredVocabulary,
  saveDeclaredVocabulary,
  declareSource,
})
