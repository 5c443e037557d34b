/** Writes what is generated and committed: database types, openapi.json, docs/operating.md. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from './app.ts'
import { environment } from './config.ts'
import { openDatabase } from './db/database.ts'
import { startEmbedded } from './db/embedded.ts'
import { generateTypes } from './db/generate-types.ts'
import { migrate } from './db/migrate.ts'
import { toOpenApi } from './http/openapi.ts'
import { readSchemaNames } from './http/schema-names.ts'
import { writeJson } from './http/write-json.ts'
import { version } from './version.ts'

const root = new URL('../../', import.meta.url)

async function databaseTypes(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-generate-'))
  const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } })
  const { pool, close } = openDatabase(embedded.config)
  try {
    await migrate(pool)
    return await generateTypes(pool)
  } finally {
    await close()
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function operatingTable(): string {
  const rows = Object.entries(environment).map(([name, schema]) => {
    const unset = schema.safeParse(undefined)
    const fallback = unset.success ? unset.data : undefined
    const shown =
      fallback === undefined || (Array.isArray(fallback) && fallback.length === 0) ? '' : `\`${fallback}\``
    return `| \`${name}\` | ${shown} | ${schema.description ?? ''} |`
  })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

const deadJobs = `## Dead jobs

A job that failed five times, or that no retry can help, is dead: \`jobs_dead\` in \`/metrics\` counts them, and the log names each. It stays for 30 days. To see them and to let them run again once the cause is gone:

\`\`\`sql
select id, name, profile_id, died_at, last_error from jobs where state = 'dead' order by died_at desc;
update jobs set state = 'ready', attempts = 0, died_at = null where state = 'dead' and name = '…';
\`\`\``

const types = await databaseTypes()
await writeFile(new URL('server/src/db/schema.ts', root), types)
const openApi = toOpenApi(
  routes.map((route) => route.entry),
  { version, schemaNames: await readSchemaNames() },
)
await writeFile(new URL('openapi.json', root), `${writeJson(openApi)}\n`)
await writeFile(
  new URL('docs/operating.md', root),
  `# Operating Whence\n\nEverything is set by environment variables, read once at the start. This table is generated from \`server/src/config.ts\`.\n\n${operatingTable()}\n\n${deadJobs}\n`,
)
