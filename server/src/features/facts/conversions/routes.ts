import { type Route, route } from '../../../platform/http/route.ts'
import { createGoal, deleteGoal, listGoals, updateGoal } from './contract.ts'
import * as operations from './operations.ts'

export const conversionRoutes: readonly Route[] = [
  route(listGoals, async (context) => ({ data: await operations.listGoals(context) })),
  route(createGoal, async (context, { body }) => ({ data: await operations.createGoal(context, body) })),
  route(updateGoal, async (context, { params, body }) => ({
    data: await operations.updateGoal(context, params.id, body),
  })),
  route(deleteGoal, async (context, { params }) => {
    await operations.deleteGoal(context, params.id)
    return { data: null }
  }),
]
