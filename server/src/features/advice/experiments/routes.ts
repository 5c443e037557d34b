import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as design from './design.ts'
import * as operations from './operations.ts'

export const experimentRoutes: readonly Route[] = bind(contract, {
  listExperiments: operations.listExperiments,
  designGeoExperiment: design.designGeoExperiment,
  createGeoExperiment: design.createGeoExperiment,
  cancelGeoExperiment: design.cancelGeoExperiment,
})
