/** The servers of a database and tenants on it, as many on each worker; for citus.ts and citus-rates.ts. */
import { mintApiKey } from '@whence/server/features/account/api-keys/mint.ts'
import { insertProfile } from '@whence/server/features/account/profiles/operations.ts'
import { scopes } from '@whence/server/platform/contract/access.ts'
import type { Server, Tenant } from './citus-costs.ts'
import { serverOf } from './cpu.ts'
import type { World } from './world.ts'

export async function serversOf(world: World, url: string): Promise<Server[]> {
  const main = { name: 'coordinator', postmaster: await serverOf(url) }
  if (!world.service.nodes.isDistributed) return [{ ...main, name: 'plain' }]
  const { rows } = await world.pool.query<{ host: string; port: number }>(
    "select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by 1, 2",
  )
  const workers = rows.map(async ({ host, port }) => {
    const address = new URL(url)
    address.host = `${host}:${port}`
    return { name: `${host}:${port}`, postmaster: await serverOf(address.href) }
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
  const made: Tenant[] = []
  const perNode = Math.ceil(count / service.nodes.list().length)
  for (let at = 0; made.length < count; at++) {
    const tenant = await service.db.transaction().execute(async (tx) => {
      const workspaceId = rows[0]!.workspace_id
      const { id } = await insertProfile(tx, { now }, { workspaceId, name: `Tenant ${at}`, appId: null })
      const own = scopes.filter((scope) => scope !== 'workspaces:write')
      const { key } = await mintApiKey(service, tx, { profileId: id, name: 'Bench', scopes: own, now })
      return { profileId: id, key }
    })
    const node = (await service.nodes.of(tenant.profileId)).name
    if (made.filter((other) => other.node === node).length < perNode) made.push({ ...tenant, node })
  }
  return made
}
