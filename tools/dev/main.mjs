import { join } from 'node:path'
import { buildPackage } from '../build.mjs'
import { environment, root, runtime, say } from '../project.mjs'
import { freePort } from './free-port.mjs'
import { startFront } from './front.mjs'
import { writeOperations } from './operations.mjs'
import { startRestarting } from './restarting.mjs'

const port = Number(process.env.PORT ?? 4400)
const servicePort = await freePort()

await buildPackage('tracker')
const service = startRestarting({
  command: runtime(),
  args: ['server/src/main.ts'],
  cwd: root,
  env: {
    ...environment(),
    PORT: String(servicePort),
    // Links and cookies use this address, not the service's own port.
    BASE_URL: process.env.BASE_URL ?? `http://localhost:${port}`,
  },
  folders: ['server/src', 'server/migrations', 'sandbox/src', 'engine/src', 'tracker/src'].map((path) =>
    join(root, path),
  ),
  beforeStart: () => {
    void writeOperations(say)
    return buildPackage('tracker')
  },
  say,
})
const front = await startFront({ port, servicePort, consoleFolder: join(root, 'console') })
say(`Whence for development on http://localhost:${port}. Ctrl-C stops it.`)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, async () => {
    if (isStopping) return
    isStopping = true
    await front.close()
    await service.stop()
    process.exit(0)
  })
