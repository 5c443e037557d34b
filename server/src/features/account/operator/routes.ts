import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import {
  dropProblem,
  getOperatorStatus,
  getProblem,
  listOperatorActions,
  listProblems,
  retryProblem,
} from './operations.ts'

export const operatorRoutes: readonly Route[] = [
  route(contract.getOperatorStatus, async (context) => ({ data: await getOperatorStatus(context) })),
  route(contract.listProblems, async (context, { params, query }) => ({
    data: await listProblems(context, params.kind, { limit: query.limit, profileId: query.profile_id }),
  })),
  route(contract.getProblem, async (context, { params }) => ({
    data: await getProblem(context, params.kind, params.id),
  })),
  route(contract.retryProblem, async (context, { params, body }) => ({
    data: await retryProblem(context, params.kind, params.id, body.reason),
  })),
  route(contract.dropProblem, async (context, { params, body }) => ({
    data: await dropProblem(context, params.kind, params.id, body.reason),
  })),
  route(contract.listOperatorActions, async (context) => ({ data: await listOperatorActions(context) })),
]
