/** Explains startup errors caused by a setting, with the name of the setting. */
import { type Config, ConfigError } from '../config.ts'

type SystemError = Error & { code?: string; syscall?: string; port?: number; path?: string }

const refusedLogin: Record<string, string> = {
  '28P01': 'the password is wrong',
  '28000': 'the server does not accept this login',
  '3D000': 'the database does not exist',
}
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
])

/** Returns the error unchanged if no setting explains it. */
export function explainStartError(error: unknown, config: Config): unknown {
  if (!(error instanceof Error) || error instanceof ConfigError) return error
  const { code = '', syscall, port, path } = error as SystemError
  const detail = `(${error.message})`
  if (syscall === 'listen') {
    const name = port === config.METRICS_ADDRESS?.port && port !== config.PORT ? 'METRICS_ADDRESS' : 'PORT'
    const reason = code === 'EADDRINUSE' ? 'is used by another process' : 'is not available'
    return new ConfigError(`${name}: ${config.HOST} port ${port} ${reason} ${detail}.`, { cause: error })
  }
  if (config.GEO_DATABASE !== undefined && path === config.GEO_DATABASE)
    return new ConfigError(`GEO_DATABASE: the file cannot be read ${detail}.`, { cause: error })
  if (config.DATABASE_URL === undefined) return error
  const { hostname, port: databasePort, pathname } = new URL(config.DATABASE_URL)
  const address = `${hostname}:${databasePort || 5432}${pathname}`
  if (code in refusedLogin)
    return new ConfigError(`DATABASE_URL: ${refusedLogin[code]} for ${address} ${detail}.`, { cause: error })
  if (unreachable.has(code) || /timeout exceeded when trying to connect/.test(error.message))
    return new ConfigError(`DATABASE_URL: no database responds at ${address} ${detail}.`, { cause: error })
  return error
}
