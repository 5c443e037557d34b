/** Flows of the console, in order on one service, from its first start. */
import { afterAll, beforeAll, describe } from 'vitest'
import { accessFlows } from './access.ts'
import { connectFlows } from './connect.ts'
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts'
import { developerFlows } from './developers.ts'
import { exportFlows } from './exports.ts'
import { firstRunFlows } from './first-run.ts'
import { trackingFlows } from './tracking.ts'
import { webhookFlows } from './webhooks.ts'

let opened: ConsoleWorld | undefined
beforeAll(async () => {
  opened = await startConsoleWorld()
})
afterAll(() => opened?.close())

const world = () => opened!

// The first run needs a database without any account.
describe('on the first run', () => firstRunFlows(world))
describe('a person at the console', () => accessFlows(world))
describe('connecting social_ads through the sandbox', () => connectFlows(world))
describe('the tracker', () => trackingFlows(world))
describe('a developer', () => developerFlows(world))
describe('a webhook', () => webhookFlows(world))
// Last, because it moves the clock.
describe('conversions sent back', () => exportFlows(world))
