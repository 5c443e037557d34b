/** A separate database for a test on every node of the cluster of CITUS_URL. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type ClusterNode = { host: string; port: number }
export type OwnCitusDatabase = {
  /** At the coordinator. */
  url: string
  workers: readonly ClusterNode[]
  run(statement: string): Promise<void>
  /** Before this it is a plain database. */
  addExtension(): Promise<void>
  /** By default at the node's own address. */
  addWorker(node: ClusterNode): Promise<void>
  drop(): Promise<void>
}

async function on(address: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Tests may use fewer shards: each has 150 tables, which take 20 s to move. */
export async function makeOwnCitusDatabase(clusterUrl: string, shards = 32): Promise<OwnCitusDatabase> {
  const name = `whence_own_${randomBytes(4).toString('hex')}`
  const coordinator = new pg.Client({ connectionString: clusterUrl })
  await coordinator.connect()
  const { rows } = await coordinator.query<ClusterNode>(
    "select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid",
  )
  await coordinator.end()
  const at = ({ host, port }: ClusterNode, database?: string) => {
    const url = new URL(clusterUrl)
    url.host = `${host}:${port}`
    if (database !== undefined) url.pathname = `/${database}`
    return url.href
  }
  for (const node of rows) await on(at(node), `create database ${name}`)
  const [first, ...workers] = rows as [ClusterNode, ...ClusterNode[]]
  const url = at(first, name)
  return {
    url,
    workers,
    run: (statement) => on(url, statement),
    async addExtension() {
      await on(url, `alter database ${name} set citus.shard_count = ${shards}`)
      for (const node of rows) await on(at(node, name), 'create extension citus')
      await on(url, `select citus_set_coordinator_host('${first.host}', ${first.port})`)
    },
    addWorker: ({ host, port }) => on(url, `select citus_add_node('${host}', ${port})`),
    async drop() {
      for (const node of rows) await on(at(node), `drop database if exists ${name} with (force)`)
    },
  }
}
