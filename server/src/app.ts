/** The list of routes, jobs and connectors, written out. */

import type { Job, Schedule } from './contract/job.ts'
import { accessRoutes } from './features/access/routes.ts'
import { profileRoutes } from './features/profiles/routes.ts'
import { workspaceRoutes } from './features/workspaces/routes.ts'
import type { Route } from './http/route.ts'

export const routes: readonly Route[] = [...accessRoutes, ...workspaceRoutes, ...profileRoutes]

export const jobs: readonly Job[] = []

export const schedules: readonly Schedule[] = []
