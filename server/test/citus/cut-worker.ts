/**
 * A service with its own database, where the service and Citus connect to the workers through proxies that a test can cut.
 * Losing the first worker is the worst case: Citus takes the locks of reference tables there.
 */

import { ensurePartitions } from '../../src/features/facts/events/partitions.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeTenant, type Tenant } from '../tenants.ts'
import { Wire } from '../wire.ts'
import { makeOwnCitusDatabase } from './own-database.ts'

export type CutWorker = {
  app: TestApp
  /** Proxy of the first worker. */
  away: Wire
  /** The service's connection to the coordinator; the workers use another. */
  coordinator: Wire
  /** A profile on the first worker, or on another. */
  makeTenant(isOnFirst: boolean): Promise<Tenant>
  close(): Promise<void>
}

export async function startWithWires(
  clusterUrl: string,
  env: Parameters<typeof startTestApp>[0] = {},
): Promise<CutWorker> {
  const cluster = await makeOwnCitusDatabase(clusterUrl, 4)
  await cluster.addExtension()
  const wires = cluster.workers.map((worker) => new Wire(worker))
  const ports: number[] = []
  for (const wire of wires) ports.push(await wire.up())
  for (const port of ports) await cluster.addWorker({ host: '127.0.0.1', port })
  const database = openDatabase({ connectionString: cluster.url, max: 3 })
  await migrate(database.pool)
  await ensurePartitions(database.db, new Date())
  await database.close()
  const way = new URL(cluster.url)
  const coordinator = new Wire({ host: way.hostname, port: Number(way.port) })
  way.host = `127.0.0.1:${await coordinator.up()}`
  const base = await startTestApp(env)
  const app = await base.startOn(way.href)
  return {
    app,
    coordinator,
    away: wires[0]!,
    async makeTenant(isOnFirst) {
      for (;;) {
        const tenant = await makeTenant(app)
        const node = await app.service.nodes.of(tenant.profileId)
        if ((node.name === `127.0.0.1:${ports[0]}`) === isOnFirst) return tenant
      }
    },
    async close() {
      await app.close()
      await base.close()
      for (const wire of [coordinator, ...wires]) await wire.cut()
      await cluster.drop()
    },
  }
}
