import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { createGoal, deleteGoal, listGoals, updateGoal } from './operations.ts'
import { setGoalTarget } from './targets.ts'

export const goalRoutes: readonly Route[] = bind(contract, {
  listGoals,
  createGoal,
  updateGoal,
  deleteGoal,
  setGoalTarget,
})
