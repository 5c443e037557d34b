/** `npm run rebalance`: balances tenants over the nodes of a Citus database by load, while the service runs. */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Config, ConfigError } from '../../../config.ts'
import { DAY_MS } from '../../contract/dates.ts'
import { isCitus } from '../distribute.ts'
import { withSettings } from '../session-settings.ts'
import { afterMoves, loadsOf, type Move, planMoves, type ShardLoad } from './plan.ts'
import { listDataNodes, listShardLoads, moveShard } from './queries.ts'

const USAGE = 'Usage: DATABASE_URL=postgres://… npm run rebalance [-- --plan]'
const MAX_ATTEMPTS = 3
const RETRY_MS = 5000

/** Transient: a month of raw events is being compacted, or another move is in progress. */
const transientError = /could not acquire the lock required to move|could not find valid entry for shard/

export async function rebalanceFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const isPlan = args.length === 1 && args[0] === '--plan'
  if (config.DATABASE_URL === undefined || (args.length > 0 && !isPlan)) throw new ConfigError(USAGE)
  return rebalanceDatabase(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, {
    isPlan,
    print: (line) => process.stderr.write(`${line}\n`),
  })
}

export async function rebalanceDatabase(
  url: string,
  { isPlan, print }: { isPlan: boolean; print(line: string): void },
): Promise<string[]> {
  const client = new pg.Client(withSettings({ connectionString: url, statement_timeout: 0 }))
  await client.connect()
  try {
    if (!(await isCitus(client))) throw new ConfigError('The database has no citus extension: docs/scale.md.')
    const nodes = await listDataNodes(client)
    const names = nodes.filter((node) => node.takesShards).map((node) => node.name)
    if (names.length === 0) throw new ConfigError('No node of the cluster takes shards: docs/scale.md.')
    const shards = await listShardLoads(client, new Date(Date.now() - DAY_MS))
    const moves = planMoves(names, shards)
    const title = isPlan ? 'would move' : 'moved'
    if (moves.length === 0) return ['The load is balanced; nothing to move.', ...describe(names, shards)]
    for (const [index, move] of moves.entries()) {
      print(`${index + 1} of ${moves.length}: shard ${move.shard} from ${move.from} to ${move.to}`)
      if (!isPlan) await moveWithRetry(client, nodes, move, print)
    }
    const count = `${moves.length} shard${moves.length === 1 ? '' : 's'}`
    return [
      'Before:',
      ...describe(names, shards),
      `After (${title} ${count}):`,
      ...describe(names, afterMoves(shards, moves)),
    ]
  } finally {
    await client.end()
  }
}

async function moveWithRetry(
  client: pg.ClientBase,
  nodes: Parameters<typeof moveShard>[1],
  move: Move,
  print: (line: string) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await moveShard(client, nodes, move)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !(error instanceof Error) || !transientError.test(error.message))
        throw error
      print(`  ${error.message}; retrying`)
      await pause(RETRY_MS)
    }
}

function describe(nodes: readonly string[], shards: readonly ShardLoad[]): string[] {
  return loadsOf(nodes, shards).map(
    ({ node, tenants, events, shards: count }) =>
      `  ${node}: ${tenants} profiles, ${events} events of the last day, ${count} shards`,
  )
}
