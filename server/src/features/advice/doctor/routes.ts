import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { runDoctor } from './jobs.ts'
import { getDoctor } from './operations.ts'

export const doctorRoutes: readonly Route[] = bind(contract, { getDoctor, runDoctor })
