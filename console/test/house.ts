/** One service with the sandbox, one browser and one receiver for every flow of the console. */
import type { Browser } from 'playwright-core'
import type { Courier } from '../../server/src/context.ts'
import { createCourier } from '../../server/src/features/webhooks/courier.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { launchPersonBrowser } from '../../tracker/test/site.ts'

export type House = {
  app: TestApp
  browser: Browser
  receiver: Receiver
  courier: Courier
  close(): Promise<void>
}

export async function openHouse(): Promise<House> {
  const app = await startTestApp({ SANDBOX: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const [browser, receiver] = await Promise.all([launchPersonBrowser(), startReceiver()])
  const courier = createCourier(app.service, { pollMs: 50, lookMs: 50 })
  courier.start()
  return {
    app,
    browser,
    receiver,
    courier,
    async close() {
      await courier.stop()
      await receiver.close()
      await browser.close()
      await app.close()
    },
  }
}
