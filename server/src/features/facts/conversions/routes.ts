import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import * as targets from './targets.ts'

export const conversionRoutes: readonly Route[] = [
  ...bind(contract, {
    listGoals: operations.listGoals,
    createGoal: operations.createGoal,
    updateGoal: operations.updateGoal,
    deleteGoal: operations.deleteGoal,
  }),
  route(contract.setGoalTarget, async (context, { params, body }) => ({
    data: await targets.setGoalTarget(context, params.id, body),
  })),
]
