/** Writes what is generated and committed: database types, openapi.json, types and operations of the SDK, pages of /docs, docs/operating.md, what each provider can do, the arithmetic of docs/scale.md, the index of decisions. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '../server/src/app.ts'
import { platformsSection } from '../server/src/connectors/platforms-section.ts'
import { abilitiesTable } from '../server/src/connectors/registry.ts'
import { environment } from '../server/src/environment.ts'
import { publishedEvents } from '../server/src/features/outgoing/webhooks/published-events.ts'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { startEmbedded } from '../server/src/platform/db/embedded.ts'
import { generateTypes } from '../server/src/platform/db/generate-types.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { toOpenApi } from '../server/src/platform/http/openapi.ts'
import { readSchemaNames } from '../server/src/platform/http/schema-names.ts'
import { writeJson } from '../server/src/platform/http/write-json.ts'
import { version } from '../server/src/platform/version.ts'
import { decisionsIndex } from './decisions-index.ts'
import { guides } from './guides.ts'
import { scaleArithmetic } from './scale-arithmetic.ts'
import { type OpenApi, sdkOperations, sdkTypes } from './sdk-files.ts'

const root = new URL('../', import.meta.url)

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

/** The generated part is between two marks; the text around them is written by hand. */
function between(page: string, name: string, text: string): string {
  const parts = page.split(new RegExp(`(<!-- ${name} -->|<!-- end of ${name} -->)`))
  if (parts.length !== 5) throw new Error(`The page has lost the marks around its ${name}`)
  return [parts[0], parts[1], `\n\n${text}\n\n`, parts[3], parts[4]].join('')
}

async function operatingPage(): Promise<string> {
  const page = await readFile(new URL('docs/operating.md', root), 'utf8')
  return between(between(page, 'settings', operatingTable()), 'platforms', platformsSection())
}

const types = await databaseTypes()
await writeFile(new URL('server/src/platform/db/schema.ts', root), types)
const openApi = toOpenApi(
  routes.map((route) => route.entry),
  { version, schemaNames: await readSchemaNames(), events: publishedEvents },
)
await writeFile(new URL('openapi.json', root), `${writeJson(openApi)}\n`)
const sdk = new URL('sdk/src/generated/', root)
await writeFile(new URL('types.ts', sdk), sdkTypes(openApi as OpenApi))
await writeFile(new URL('operations.ts', sdk), sdkOperations(openApi as OpenApi))
await writeFile(new URL('docs/operating.md', root), await operatingPage())
const connectors = new URL('docs/connectors.md', root)
const connectorsPage = await readFile(connectors, 'utf8')
await writeFile(connectors, between(connectorsPage, 'abilities', abilitiesTable()))
const scale = new URL('docs/scale.md', root)
const scalePage = await readFile(scale, 'utf8')
const results = await readFile(new URL('bench/RESULTS.md', root), 'utf8')
await writeFile(scale, between(scalePage, 'arithmetic', scaleArithmetic(scalePage, results)))
await writeFile(
  new URL('server/src/platform/http/guides.json', root),
  await guides(root, (openApi.info as { description: string }).description),
)
const decisions = new URL('docs/decisions/', root)
await writeFile(new URL('README.md', decisions), await decisionsIndex(decisions))
