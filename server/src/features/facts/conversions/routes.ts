import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import * as targets from './targets.ts'

export const conversionRoutes: readonly Route[] = [
  ...bind(contract, operations, ['listGoals', 'createGoal', 'updateGoal', 'deleteGoal']),
  route(contract.setGoalTarget, async (context, { params, body }) => ({
    data: await targets.setGoalTarget(context, params.id, body),
  })),
]
