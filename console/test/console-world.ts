/** One service with the sandbox, a browser and a receiver, shared by all flows of the console. */
import type { Browser } from 'playwright-core'
import type { Dispatcher } from '../../server/src/context.ts'
import { createDispatcher } from '../../server/src/features/outgoing/webhooks/delivery/dispatcher.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { launchPersonBrowser } from '../../tracker/test/site.ts'

export type ConsoleWorld = {
  app: TestApp
  browser: Browser
  receiver: Receiver
  dispatcher: Dispatcher
  close(): Promise<void>
}

export async function startConsoleWorld(): Promise<ConsoleWorld> {
  const app = await startTestApp({ SANDBOX: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const [browser, receiver] = await Promise.all([launchPersonBrowser(), startReceiver()])
  const dispatcher = createDispatcher(app.service, { pollMs: 50, lookMs: 50 })
  dispatcher.start()
  return {
    app,
    browser,
    receiver,
    dispatcher,
    async close() {
      await dispatcher.stop()
      await receiver.close()
      await browser.close()
      await app.close()
    },
  }
}
