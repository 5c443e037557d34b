/**
 * A service on a database of its own, whose workers it and Citus reach through wires that a test cuts: the first worker
 * can be taken away. The first is the worst one to lose: it is the one that Citus asks for locks of tables that every node has a copy of.
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
  /** The first worker's. */
  away: Wire
  /** The service's own way to the coordinator; the workers have another. */
  coordinator: Wire
  /** A profile on the first worker, or one on another. */
  makeTenant(isOnFirst: boolean): Promise<Tenant>
  close(): Promise<void>
}

export async function startWithWires(
  clusterUrl: string,
  env: Parameters<typeof startTestApp>[0] = {},
): Promise<CutWorker> {
  const own = await makeOwnCitusDatabase(clusterUrl, 4)
  await own.addExtension()
  const wires = own.workers.map((worker) => new Wire(worker))
  const ports: number[] = []
  for (const wire of wires) ports.push(await wire.up())
  for (const port of ports) await own.addWorker({ host: '127.0.0.1', port })
  const database = openDatabase({ connectionString: own.url, max: 3 })
  await migrate(database.pool)
  await ensurePartitions(database.db, new Date())
  await database.close()
  const way = new URL(own.url)
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
      await own.drop()
    },
  }
}
