/** What people do at the console, one after another at one service, from its first start on. */
import { afterAll, beforeAll, describe } from 'vitest'
import { accessFlows } from './access.ts'
import { connectFlows } from './connect.ts'
import { developerFlows } from './developers.ts'
import { exportFlows } from './exports.ts'
import { firstRunFlows } from './first-run.ts'
import { type House, openHouse } from './house.ts'
import { trackingFlows } from './tracking.ts'
import { webhookFlows } from './webhooks.ts'

let opened: House | undefined
beforeAll(async () => {
  opened = await openHouse()
})
afterAll(() => opened?.close())

const house = () => opened!

// The first run needs a database without any account.
describe('on the first run', () => firstRunFlows(house))
describe('a person at the console', () => accessFlows(house))
describe('connecting social_ads through the sandbox', () => connectFlows(house))
describe('the tracker', () => trackingFlows(house))
describe('a developer', () => developerFlows(house))
describe('a webhook', () => webhookFlows(house))
// It moves the clock, so it comes last.
describe('conversions sent back', () => exportFlows(house))
