/** Servers of a database, and tenants spread evenly over its workers, for citus.ts and citus-rates.ts. */
import { mintApiKey } from '@whence/server/features/account/api-keys/mint.ts'
import { insertProfile } from '@whence/server/features/account/profiles/operations.ts'
import { scopes } from '@whence/server/platform/contract/access.ts'
import type { Server, Tenant } from './citus-costs.ts'
import { findServerPid } from './cpu.ts'
import type { World } from './world.ts'

export async function findServers(world: World, url: string): Promise<Server[]> {
  const main = { name: 'coordinator', postmaster: await findServerPid(url) }
  if (!world.service.nodes.isDistributed) return [{ ...main, name: 'plain' }]
  const { rows } = await world.pool.query<{ host: string; port: number }>(
    "select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by 1, 2",
  )
  const workers = rows.map(async ({ host, port }) => {
    const address = new URL(url)
    address.host = `${host}:${port}`
    return { name: `${host}:${port}`, postmaster: await findServerPid(address.href) }
  })
  return [main, ...(await Promise.all(workers))]
}

export async function makeTenants(world: World, count: number): Promise<Tenant[]> {
  const { service } = world
  const now = service.clock.now()
  const { rows } = await world.pool.query<{ workspace_id: string }>(
    'select workspace_id from profiles where id = $1',
    [world.profileId],
  )
  const tenants: Tenant[] = []
  const perNode = Math.ceil(count / service.nodes.list().length)
  for (let at = 0; tenants.length < count; at++) {
    const tenant = await service.db.transaction().execute(async (tx) => {
      const workspaceId = rows[0]!.workspace_id
      const { id } = await insertProfile(tx, { now }, { workspaceId, name: `Tenant ${at}`, appId: null })
      const { key } = await mintApiKey(service, tx, {
        profileId: id,
        name: 'Bench',
        scopes: scopes.filter((scope) => scope !== 'workspaces:write'),
        now,
      })
      return { profileId: id, key }
    })
    const node = (await service.nodes.of(tenant.profileId)).name
    if (tenants.filter((other) => other.node === node).length < perNode) tenants.push({ ...tenant, node })
  }
  return tenants
}
