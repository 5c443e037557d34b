import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { deleteView, listSavedViews, saveView } from './operations.ts'

export const savedViewRoutes: readonly Route[] = bind(contract, { listSavedViews, saveView, deleteView })
