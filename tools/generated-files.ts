/** Writes the committed generated files: database types, openapi.json, types and operations of the SDKs (only these two with `--api`, which needs no database), pages of /docs, docs/operating.md, what each provider can do, the arithmetic of docs/scale.md, the index of decisions. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../server/src/app.ts'
import { platformsSection } from '../server/src/connectors/platforms-section.ts'
import { facetsTable } from '../server/src/connectors/registry.ts'
import { environment } from '../server/src/environment.ts'
import { publishedEvents } from '../server/src/features/outgoing/webhooks/published-events.ts'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { generateTypes } from '../server/src/platform/db/generate-types.ts'
import { toOpenApi } from '../server/src/platform/http/openapi.ts'
import { readSchemaNames } from '../server/src/platform/http/schema-names.ts'
import { writeJson } from '../server/src/platform/http/write-json.ts'
import { version } from '../server/src/platform/version.ts'
import { startMigrated, TEMPLATE } from '../server/test/migrated-cluster.ts'
import { decisionsIndex } from './decisions-index.ts'
import { guides } from './guides.ts'
import { scaleArithmetic } from './scale-arithmetic.ts'
import { type OpenApi, sdkOperations, sdkTypes, sdkValues } from './sdk-files.ts'
import { pythonOperations, pythonTypes } from './sdk-python-files.ts'

const root = new URL('../', import.meta.url)

async function databaseTypes(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-generate-'))
  const embedded = await startMigrated(dataDir)
  const { pool, close } = openDatabase({ ...embedded.config, database: TEMPLATE })
  try {
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

/** The generated part is between two marks; the text around them is written by hand. */
function between(page: string, name: string, text: string): string {
  const parts = page.split(new RegExp(`(<!-- ${name} -->|<!-- end of ${name} -->)`))
  if (parts.length !== 5) throw new Error(`The page lacks the marks around its ${name}`)
  return [parts[0], parts[1], `\n\n${text}\n\n`, parts[3], parts[4]].join('')
}

/** Does not touch an unchanged file, so that watchers are not triggered. */
async function write(path: string, text: string): Promise<void> {
  const file = new URL(path, root)
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (before !== text) await writeFile(file, text)
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await write(path, change(await readFile(new URL(path, root), 'utf8')))
}

const openApi = toOpenApi(
  routes.map((route) => route.entry),
  { version, schemaNames: await readSchemaNames(), events: publishedEvents },
)
await write('openapi.json', `${writeJson(openApi)}\n`)
await write('sdk/src/generated/types.ts', sdkTypes(openApi as OpenApi))
await write('sdk/src/generated/values.ts', sdkValues(openApi as OpenApi))
await write('sdk/src/generated/operations.ts', sdkOperations(openApi as OpenApi))
await write('sdk-python/whence/types.py', pythonTypes(openApi as OpenApi))
await write('sdk-python/whence/operations.py', pythonOperations(openApi as OpenApi))

if (!process.argv.includes('--api')) {
  await write('server/src/platform/db/schema.ts', await databaseTypes())
  await rewrite('docs/operating.md', (page) =>
    between(between(page, 'settings', operatingTable()), 'platforms', platformsSection()),
  )
  await rewrite('docs/connectors.md', (page) => between(page, 'abilities', facetsTable()))
  const results = await readFile(new URL('bench/RESULTS.md', root), 'utf8')
  await rewrite('docs/scale.md', (page) => between(page, 'arithmetic', scaleArithmetic(page, results)))
  const { description } = openApi.info as { description: string }
  await write('server/src/platform/http/guides.json', await guides(root, description))
  await write('docs/decisions/README.md', await decisionsIndex(new URL('docs/decisions/', root)))
}
