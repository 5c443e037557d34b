import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const operatorRoutes: readonly Route[] = bind(contract, {
  getOperatorStatus: operations.getOperatorStatus,
  listProblems: operations.listProblems,
  getProblem: operations.getProblem,
  retryProblem: operations.retryProblem,
  dropProblem: operations.dropProblem,
  listOperatorActions: operations.listOperatorActions,
})
