/** Entry point: runs a command, supervises the service's processes, or is one of them. */
import { mkdir } from 'node:fs/promises'
import { explainStartError } from './commands/start-errors.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { mistypedSettings } from './connectors/setting-names.ts'
import { environment } from './environment.ts'
import { movedClock } from './platform/db/embedded/account.ts'
import { type Embedded, embeddedDir, startEmbedded } from './platform/db/embedded.ts'
import { collectWhenIdle } from './platform/idle-memory.ts'
import { createLog, type Log } from './platform/log.ts'
import { embeddedFromParent, isFirstProcess, processCount, reportServing, runProcesses } from './processes.ts'

/** Connections of the embedded database in addition to those of the processes. */
const SPARE_CONNECTIONS = 20

/** A process that only supervises the others does not load the service. */
async function start(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL)
  for (const sentence of mistypedSettings(Object.keys(process.env), Object.keys(environment)))
    log.warn(sentence)
  const processes = processCount(config)
  const isSupervisor = processes > 1 && isFirstProcess()
  const service = isSupervisor ? undefined : await import('./serve.ts')
  const parentDatabase = embeddedFromParent(process.env)
  const embedded =
    config.DATABASE_URL === undefined && parentDatabase === undefined
      ? await openEmbedded(config, log, processes)
      : undefined
  if (service !== undefined)
    return service.serve({
      config,
      log,
      embedded,
      given: parentDatabase,
      reportServing: () => reportServing(process.env),
    })
  collectWhenIdle()
  process.exit(await runProcesses(processes, { embedded, log }))
}

async function openEmbedded(config: Config, log: Log, processes: number): Promise<Embedded> {
  await mkdir(config.DATA_DIR, { recursive: true })
  return startEmbedded({
    dataDir: embeddedDir(config),
    log: (line) => log.warn(line),
    serverLog: (line) => log.debug(line),
    environment: movedClock(process.env),
    ...(processes > 1
      ? { settings: { max_connections: String(SPARE_CONNECTIONS + processes * config.DATABASE_POOL) } }
      : {}),
  })
}

type Command = (config: Config, args: readonly string[]) => Promise<string[]>

/** Commands, which return the lines to print; loaded only when used. */
const commands: Record<string, () => Promise<Command>> = {
  backup: async () => (await import('./commands/backup/commands.ts')).backupFromCommand,
  distribute: async () => (await import('./platform/db/distribute-command.ts')).distributeFromCommand,
  operator: async () => (await import('./commands/operator.ts')).operatorFromCommand,
  prepare: async () => (await import('./commands/prepare.ts')).prepareFromCommand,
  rebalance: async () => (await import('./platform/db/rebalance/command.ts')).rebalanceFromCommand,
  recompute: async () => (await import('./commands/recompute.ts')).recomputeFromCommand,
  'reset-password': async () => (await import('./commands/reset-password.ts')).resetFromCommand,
  restore: async () => (await import('./commands/backup/commands.ts')).restoreFromCommand,
}

async function runCommand(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  const load = name === undefined ? undefined : commands[name]
  if (name !== undefined && load === undefined)
    throw new ConfigError(
      `No command "${name}". Commands: ${Object.keys(commands).join(', ')}; without a command the service starts.`,
    )
  const config = readConfig(process.env)
  try {
    if (load === undefined) return await start(config)
    const command = await load()
    process.stdout.write(`${(await command(config, args)).join('\n')}\n`)
  } catch (error) {
    throw explainStartError(error, config)
  }
}

export async function run(): Promise<void> {
  await runCommand().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${message}\n`)
    if (!(error instanceof ConfigError) && error instanceof Error && process.env.LOG_LEVEL === 'debug')
      process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  })
}
