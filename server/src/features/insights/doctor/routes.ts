import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { runDoctor } from './jobs.ts'
import { getDoctor } from './operations.ts'

export const doctorRoutes: readonly Route[] = [
  route(contract.getDoctor, async (context) => ({ data: await getDoctor(context) })),
  route(contract.runDoctor, async (context) => ({ data: await runDoctor(context) })),
]
