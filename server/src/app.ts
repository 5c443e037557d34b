/** The list of routes, jobs and connectors, written out. */

import { accessRoutes } from './features/access/routes.ts'
import type { Route } from './http/route.ts'

export const routes: readonly Route[] = [...accessRoutes]
