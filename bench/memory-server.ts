/** The service under load in bench/memory.ts; reports its memory on request. */
import { openWorld } from './world.ts'

const world = await openWorld({ SANDBOX: 'off' })
world.service.processor.start()
world.service.dispatcher.start()
process.send!({ baseUrl: world.baseUrl, apiKey: world.apiKey })
process.on('message', (message) => {
  if (message === 'measure') {
    globalThis.gc!()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send!({ heapUsed, external, rss })
  } else void world.close().then(() => process.exit(0))
})
