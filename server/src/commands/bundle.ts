/** `npm run operator -- bundle`: what a bug report needs, without secrets, addresses or personal values. */
import { readFile } from 'node:fs/promises'
import { type Config, ConfigError } from '../config.ts'
import { environment } from '../environment.ts'
import { redact } from '../platform/redact.ts'
import { version } from '../platform/version.ts'

const LOG_LINES = 1_000
/** Texts without names; numbers and switches are shown too. Of all others only whether they are set. */
const shownTexts = ['ROLE', 'LOG_LEVEL', 'SIGN_UP', 'DATABASE_NODES']

export function settingLines(config: Config): string[] {
  const values = config as unknown as Record<string, unknown>
  return Object.keys(environment).map((name) => {
    const value = values[name]
    const isShown = ['number', 'boolean'].includes(typeof value) || shownTexts.includes(name)
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0)
    return `${name}: ${isSet ? (isShown ? String(value) : 'set') : 'not set'}`
  })
}

export async function bundleLines(
  config: Config,
  logFile: string | undefined,
  sections: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const log = logFile === undefined ? ['Add it with --log <file>.'] : await lastLines(logFile)
  const all = {
    Version: [`Whence ${version}, Node ${process.version}, ${process.platform} ${process.arch}`],
    Settings: settingLines(config),
    ...sections,
    Log: log,
  }
  return Object.entries(all).flatMap(([title, lines]) => [`== ${title}`, ...lines.map(redact), ''])
}

async function lastLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(`The log ${file} cannot be read (${cause.code}).`, { cause })
  })
  return text.trimEnd().split('\n').slice(-LOG_LINES)
}
