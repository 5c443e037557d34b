/** Settings that a connection asks for when it opens, so that the server's, the database's and the role's own do not count. */
import type pg from 'pg'

/** Starting a worker process or a compiler costs more than any of our questions: a 90-day report 100 → 20 ms. */
const SHORT_QUERIES = '-c jit=off -c max_parallel_workers_per_gather=0'
/** Times are read in this form only. Another one, such as `SQL, DMY`, changes what rows and COPY's text say. */
const DATES = '-c datestyle=ISO'

/** Options in the address stand between ours: they may have a compiler back, but not other dates. */
export function withSettings<Config extends pg.ClientConfig>(config: Config): Config {
  const { connectionString } = config
  if (connectionString === undefined || !/[?&]options=/.test(connectionString))
    return { ...config, options: [SHORT_QUERIES, config.options, DATES].filter(Boolean).join(' ') }
  const merged = connectionString.replace(
    /([?&]options=)([^&#]*)/,
    (_, name: string, given: string) =>
      `${name}${encodeURIComponent(`${SHORT_QUERIES} `)}${given}${encodeURIComponent(` ${DATES}`)}`,
  )
  return { ...config, connectionString: merged }
}
