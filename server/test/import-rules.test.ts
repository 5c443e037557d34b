/** Dependency rules of the architecture: which file may import which. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { bundledFiles } from '../../tools/bundled-files.mjs'
import { routeHandlersOf } from './route-handlers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type Import = { from: string; to: string; typeOnly: boolean }

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => /\.tsx?$/.test(name) && !name.includes('node_modules') && !/\.(test|proof)\.tsx?$/.test(name),
    )
    .map((name) => join(folder, name))
}

/** Paths from the repository's root for our own files, package names for others. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
  return [...text.matchAll(statement)].map((match) => ({
    from: file,
    to: match[2]!.startsWith('.') ? relative(root, resolve(root, dirname(file), match[2]!)) : match[2]!,
    typeOnly: match[1] !== undefined,
  }))
}

const server = filesUnder('server/src')
const imports = server.flatMap(importsOf)
const asText = (list: readonly Pick<Import, 'from' | 'to'>[]) => list.map(({ from, to }) => `${from} → ${to}`)
const featureOf = (file: string) => /^server\/src\/features\/([^/]+\/[^/]+)\//.exec(file)?.[1]
const role = (file: string) => file.split('/').at(-1)!

it('the sweep sees the imports', () => {
  expect(imports.length).toBeGreaterThan(300)
})

it('the engine imports nothing but itself', () => {
  const engine = filesUnder('engine/src').flatMap(importsOf)
  expect(engine.length).toBeGreaterThan(5)
  expect(asText(engine.filter(({ to }) => !to.startsWith('engine/src/')))).toEqual([])
})

it('contracts have no side effects: they import only zod and the engine, transitively', () => {
  const reached = new Set(
    server.filter((file) => file.startsWith('server/src/platform/contract/') || role(file) === 'contract.ts'),
  )
  const outside: Import[] = []
  // Iterating a set includes entries that are added meanwhile.
  for (const file of reached)
    for (const dependency of imports.filter(({ from, typeOnly }) => from === file && !typeOnly)) {
      if (dependency.to.startsWith('server/src/')) reached.add(dependency.to)
      else if (!['zod', '@whence/engine'].includes(dependency.to)) outside.push(dependency)
    }
  expect(reached.size).toBeGreaterThan(20)
  expect(asText(outside)).toEqual([])
  const deep =
    /(operations|queries|routes|jobs|pages)\.ts$|^server\/src\/platform\/(db|http|jobs|mail|outbound)\//
  expect([...reached].filter((file) => deep.test(file))).toEqual([])
})

it('the supervising process loads no feature and no route', () => {
  const reached = new Set(['server/src/run.ts'])
  const packages = new Set<string>()
  for (const file of reached)
    for (const { to } of imports.filter(({ from, typeOnly }) => from === file && !typeOnly))
      if (to.startsWith('server/src/')) reached.add(to)
      else if (!to.startsWith('node:')) packages.add(to)
  expect(reached.size).toBeGreaterThan(10)
  expect([...reached].filter((file) => /^server\/src\/(features|mcp|platform\/http)\//.test(file))).toEqual(
    [],
  )
  expect([...packages].sort()).toEqual(['pg', 'zod'])
})

it('rules and mappings do no input or output', () => {
  const ruleImports = imports.filter(({ from }) => /^((?:[\w-]+-)?rules|mapping)\.ts$/.test(role(from)))
  const io =
    /^(node:(?!crypto)|pg$|kysely$|fastify|undici|server\/src\/(platform\/(db|http|jobs|mail|outbound\/client)|main|service|api)\b)/
  const reaches = ({ to, typeOnly }: Import) =>
    !typeOnly && (io.test(to) || /(operations|queries|routes|jobs|pages)\.ts$/.test(to))
  expect(asText(ruleImports.filter(reaches))).toEqual([])
})

it('rules return refusals and do not throw; mappings throw only for malformed provider data', () => {
  const isRule = (file: string) => /^(?:[\w-]+-)?rules\.ts$/.test(role(file))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  expect(server.filter(isRule).length).toBeGreaterThan(15)
  expect(
    server.filter((file) => isRule(file) && /\bthrow\s|\bApiError\b|\baccepted\(/.test(read(file))),
  ).toEqual([])
  const thrown = server
    .filter((file) => role(file) === 'mapping.ts')
    .flatMap((file) =>
      [...read(file).matchAll(/\bthrow\s+(?!new ProviderError\('malformed',).*/g)].map(
        ([line]) => `${file}: ${line}`,
      ),
    )
  expect(thrown).toEqual([])
})

it('queries import only the database layer', () => {
  const queryImports = imports.filter(
    ({ from }) => role(from) === 'queries.ts' || /\/features\/(figures\/rollups|.+\/queries)\//.test(from),
  )
  const above = ({ to, typeOnly }: Import) =>
    !typeOnly &&
    /(operations|routes|pages|jobs)\.ts$|^server\/src\/platform\/(http|jobs|outbound|mail)\//.test(to)
  expect(asText(queryImports.filter(above))).toEqual([])
})

const asks =
  /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|\b(bulkInsert|applyDeltas|rowsWhere|insertRow)\(/

it('operations, routes, rules, pages, jobs and contracts use the database only through queries', () => {
  const decides = /\/(contract|routes|operations|rules|pages?|jobs|[\w-]+-(job|rules))\.ts$/
  const holding = server.filter(
    (file) => decides.test(file) && asks.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(holding).toEqual([])
})

it('a file of a feature with database queries returns no refusals', () => {
  const mixed = server.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return featureOf(file) !== undefined && asks.test(text) && /new ApiError\(|\baccepted\(/.test(text)
  })
  expect(mixed).toEqual([])
})

/** Files still to be split into queries and an operation. Remove a file once it is split; add none. */
const queriesThatAct = [
  'server/src/features/account/oauth/codes.ts',
  'server/src/features/account/operator/problems.ts',
  'server/src/features/attribution/crediting/record-recompute.ts',
  'server/src/features/attribution/crediting/stamp-goals.ts',
  'server/src/features/facts/events/refusals.ts',
  'server/src/features/facts/export-queue/opt-outs.ts',
  'server/src/features/facts/export-queue/queue.ts',
  'server/src/features/outgoing/webhooks/freshness.ts',
  'server/src/features/sources/connections/commerce.ts',
  'server/src/features/sources/connections/store.ts',
  'server/src/features/sources/connections/sync-state.ts',
]

it('a file of a feature with database queries enqueues no job, records no event and writes no audit entry', () => {
  const acts =
    /^server\/src\/(platform\/jobs\/enqueue|platform\/audit\/record|features\/facts\/outbox\/record)\.ts$/
  const acting = imports.filter(
    ({ from, to, typeOnly }) =>
      !typeOnly &&
      acts.test(to) &&
      featureOf(from) !== undefined &&
      featureOf(from) !== featureOf(to) &&
      asks.test(readFileSync(join(root, from), 'utf8')),
  )
  expect([...new Set(acting.map(({ from }) => from))].sort()).toEqual(queriesThatAct)
})

it('a route file binds its own feature', () => {
  const routeImports = imports.filter(
    ({ from }) => role(from) === 'routes.ts' && featureOf(from) !== undefined,
  )
  const foreign = ({ from, to, typeOnly }: Import) =>
    !typeOnly &&
    featureOf(to) !== undefined &&
    featureOf(to) !== featureOf(from) &&
    ['operations.ts', 'queries.ts', 'routes.ts', 'jobs.ts'].includes(role(to))
  expect(asText(routeImports.filter(foreign))).toEqual([])
  const direct = ({ to, typeOnly }: Import) => !typeOnly && (to === 'pg' || to === 'kysely')
  expect(asText(routeImports.filter(direct))).toEqual([])
})

it('a route calls the operation or the query with its name', () => {
  const handlers = server
    .filter((file) => role(file) === 'routes.ts' && featureOf(file) !== undefined)
    .flatMap((file) => routeHandlersOf(join(root, file)).map((handler) => ({ file, ...handler })))
  expect(handlers.length).toBeGreaterThan(150)
  const otherwise = handlers.filter(
    ({ entry, calls }) => !calls.some(({ name, from }) => name === entry && from !== './contract.ts'),
  )
  const messages = otherwise.map(
    ({ file, entry, calls }) => `${file}: ${entry} calls ${calls.map((call) => call.name).join(', ')}`,
  )
  expect(messages).toEqual([])
})

it('only http imports the framework', () => {
  const uses = imports.filter(({ to }) => to === 'fastify' || to.startsWith('@fastify/'))
  expect(uses.length).toBeGreaterThan(0)
  const outside = ({ from }: Import) => !/^server\/src\/(platform\/http\/|api\.ts|mcp\/)/.test(from)
  expect(asText(uses.filter(outside))).toEqual([])
})

it('only app.ts gathers routes, and only the entry points read app.ts', () => {
  const gathers = imports.filter(
    ({ to, typeOnly }) => !typeOnly && featureOf(to) !== undefined && role(to) === 'routes.ts',
  )
  expect(new Set(gathers.map(({ from }) => from))).toEqual(new Set(['server/src/app.ts']))
  const readers = imports.filter(({ to }) => to === 'server/src/app.ts').map(({ from }) => from)
  for (const reader of readers) expect(reader).toMatch(/^server\/src\/(api|serve|mcp\/[\w-]+)\.ts$/)
})

it('the sandbox imports no other workspace: code shared with a connector would share its mistakes', () => {
  const sandbox = filesUnder('sandbox/src').flatMap(importsOf)
  expect(sandbox.length).toBeGreaterThan(300)
  const allowed = /^(sandbox\/src\/|node:|(graphql|sharp|zod)$)/
  expect(asText(sandbox.filter(({ to }) => !allowed.test(to)))).toEqual([])
})

it('production code imports no imitation: the sandbox is loaded dynamically if it is switched on', () => {
  const uses = imports.filter(({ to }) => to.startsWith('@whence/sandbox') || to.startsWith('sandbox/'))
  expect(uses.length).toBeGreaterThan(3)
  expect(asText(uses.filter(({ typeOnly }) => !typeOnly))).toEqual([])
  const loading = server.filter((file) =>
    /import\(['"]@whence\/sandbox/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(loading).toEqual(['server/src/service.ts'])
})

it('only db uses the driver; others import at most its types', () => {
  const outside = ({ from, to, typeOnly }: Import) =>
    !typeOnly && /^pg(-|\/|$)/.test(to) && !from.startsWith('server/src/platform/db/')
  expect(asText(imports.filter(outside))).toEqual([])
})

/** Whether the code reads `process.env` in any form; strings and comments do not count. */
function readsEnvironment(code: string): boolean {
  if (!/\bprocess\b/.test(code)) return false
  let isFound = false
  const isProcess = (node: { type?: string; name?: string } | null) =>
    node?.type === 'Identifier' && node.name === 'process'
  JSON.stringify(parseSync('file.ts', code).program, (_name, node) => {
    if (node?.type === 'MemberExpression' && isProcess(node.object))
      isFound ||= node.property.name === 'env' || node.computed
    // Aliases: `const { env } = process`, `import { env } from 'node:process'`.
    if (node?.type === 'VariableDeclarator' && isProcess(node.init))
      isFound ||=
        node.id.properties?.every((property: { key?: { name: string } }) => property.key?.name !== 'env') !==
        true
    if (node?.type === 'ImportDeclaration') isFound ||= /^(node:)?process$/.test(node.source.value)
    return typeof node === 'bigint' ? null : node
  })
  return isFound
}

it('only the start of the process reads the environment', () => {
  const readers = server.filter((file) => readsEnvironment(readFileSync(join(root, file), 'utf8')))
  expect(readers).toEqual(['server/src/run.ts'])
})

it.each([
  ['process.env.PORT', true],
  ["process['env']", true],
  ['const { env } = process', true],
  ["import { env } from 'node:process'", true],
  ['const runtime = process', true],
  ['const { pid } = process', false],
  ["'process.env.PORT'", false],
  ['`process.env.PORT`', false],
  ['process.exitCode = 1 // process.env', false],
])('%s reads the environment: %s', (code, expected) => {
  expect(readsEnvironment(code)).toBe(expected)
})

it('no file imports a test', () => {
  expect(asText(imports.filter(({ to }) => to.startsWith('server/test/')))).toEqual([])
})

/** Pure modules that the console bundles. Everything else of the API, including types, comes from the SDK. */
const sharedWithConsole = [
  'access',
  'amounts',
  'countries',
  'csv-field',
  'dates',
  'money',
  'platform-names',
  'zones',
]

it('the console calls the API through the SDK and shares only pure modules with the server, none with zod', () => {
  const console = filesUnder('console/src').flatMap(importsOf)
  const isOurs = ({ to }: Import) => /^(@whence\/|(server|sandbox|engine|sdk)\/)/.test(to)
  const shared = sharedWithConsole.map((name) => `@whence/server/platform/contract/${name}.ts`)
  const crossing = console.filter(isOurs).filter(({ to }) => to !== '@whence/sdk')
  expect(asText(crossing.filter(({ to }) => !shared.includes(to)))).toEqual([])
  expect(new Set(crossing.map(({ to }) => to))).toEqual(new Set(shared))
  const bundled = bundledFiles(root, 'console').map((path) => relative(root, path))
  expect(bundled).toContain('server/src/platform/contract/dates.ts')
  expect(
    asText(
      bundled
        .filter((path) => /\.tsx?$/.test(path))
        .flatMap(importsOf)
        .filter(({ to }) => to === 'zod'),
    ),
  ).toEqual([])
})

it('the SDK imports nothing but itself', () => {
  const sdk = filesUnder('sdk/src').flatMap(importsOf)
  expect(sdk.length).toBeGreaterThan(5)
  expect(asText(sdk.filter(({ to }) => !to.startsWith('sdk/src/')))).toEqual([])
})

/** The import edges that remain after removing all files that are in no cycle. */
function circlesOf(arrows: readonly Pick<Import, 'from' | 'to'>[]): Pick<Import, 'from' | 'to'>[] {
  let open = [...arrows]
  // A file without remaining imports or without remaining importers is in no cycle.
  for (let before = Number.POSITIVE_INFINITY; open.length < before; ) {
    before = open.length
    const importers = new Set(open.map(({ from }) => from))
    const imported = new Set(open.map(({ to }) => to))
    open = open.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  return open
}

it('there are no import cycles, not even of types', () => {
  const arrows = ['engine/src', 'server/src', 'sandbox/src', 'tracker/src', 'sdk/src', 'console/src']
    .flatMap(filesUnder)
    .flatMap(importsOf)
  expect(arrows.length).toBeGreaterThan(1000)
  expect(asText(circlesOf(arrows))).toEqual([])
})

it('features form no cycle', () => {
  const arrows = imports.flatMap(({ from, to }) => {
    const [a, b] = [featureOf(from), featureOf(to)]
    return a === undefined || b === undefined || a === b ? [] : [{ from: a, to: b }]
  })
  expect(arrows.length).toBeGreaterThan(100)
  expect(asText(circlesOf(arrows))).toEqual([])
})

/** From top to bottom: a wing may import itself, the wings below it and the platform. */
const wings = [
  'sharing',
  'account',
  'advice',
  'insights',
  'corrections',
  'outgoing',
  'sources',
  'figures',
  'attribution',
  'facts',
]
const wingOf = (file: string) => /^server\/src\/features\/([^/]+)\//.exec(file)?.[1]

it('every feature is in a wing, and only entry points are directly in server/src', () => {
  const loose = readdirSync(join(root, 'server/src')).filter((name) => /(?<!\.test)\.ts$/.test(name))
  expect(loose.sort()).toEqual([
    'api.ts',
    'app.ts',
    'config.ts',
    'context.ts',
    'environment.ts',
    'main.ts',
    'observe.ts',
    'processes.ts',
    'run.ts',
    'serve.ts',
    'service.ts',
  ])
  expect(readdirSync(join(root, 'server/src/features')).sort()).toEqual([...wings].sort())
  for (const wing of wings)
    expect(existsSync(join(root, 'server/src/features', wing, 'README.md')), wing).toBe(true)
})

it('wings import only downwards', () => {
  const crossing = imports.filter(({ from, to }) => {
    const [a, b] = [wingOf(from), wingOf(to)]
    return a !== undefined && b !== undefined && a !== b
  })
  expect(crossing.length).toBeGreaterThan(300)
  const upwards = ({ from, to }: Import) => wings.indexOf(wingOf(from)!) > wings.indexOf(wingOf(to)!)
  expect(asText(crossing.filter(upwards))).toEqual([])
})

it('reports and statistics do not need each other: both read their figures from the wing figures', () => {
  const sides = ['advice', 'insights']
  const between = ({ from, to }: Import) =>
    sides.includes(wingOf(from)!) && sides.includes(wingOf(to)!) && wingOf(from) !== wingOf(to)
  expect(asText(imports.filter(between))).toEqual([])
})

const listsOfTables = [
  'server/src/features/corrections/person-data/free-tables.ts',
  'server/src/platform/db/schema.ts',
  'server/src/platform/db/tables.ts',
]

it('SQL of the rollups of figures is written by the room that fills them and by the room that reads them', () => {
  const writers = /^server\/src\/features\/(attribution\/crediting\/|facts\/ads\/delivery\.ts)/
  const naming = server.filter((file) =>
    /\b(credit_daily|conversion_daily|delivery_daily|credit_spans)\b/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  const inRoom = (file: string) => file.startsWith('server/src/features/figures/')
  expect(naming.filter(inRoom).length).toBeGreaterThan(3)
  const elsewhere = naming.filter((file) => !inRoom(file) && !writers.test(file))
  expect(elsewhere.sort()).toEqual(listsOfTables)
})

it('the platform imports no feature', () => {
  const reaches = ({ from, to }: Import) =>
    from.startsWith('server/src/platform/') && to.startsWith('server/src/features/')
  expect(asText(imports.filter(reaches))).toEqual([])
})

it('the context of a request names no feature: what features implement is a port of the platform', () => {
  const named = imports.filter(({ from, to }) => from === 'server/src/context.ts' && wingOf(to) !== undefined)
  // The form of an event as data, without imports of its own.
  expect(asText(named)).toEqual(['server/src/context.ts → server/src/features/facts/events/stored.ts'])
})

it('docs/architecture.md and the README of its wing list every feature', () => {
  const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n')
  for (const wing of wings) {
    const folder = join(root, 'server/src/features', wing)
    const features = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
    const row = architecture.find((line) => line.startsWith(`| ${wing} |`)) ?? ''
    const documented =
      /\*\*Features:\*\* (.+)\./.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1] ?? ''
    expect(
      features.filter((name) => !new RegExp(`\\b${name}\\b`).test(row)),
      `docs/architecture.md, row ${wing}`,
    ).toEqual([])
    expect(documented.split(', ').sort(), `${wing}/README.md`).toEqual(features.sort())
  }
})

it('an error has its field as data, not at the start of its message', () => {
  const prefixed = server.filter((file) =>
    /new (?:ApiError|Refusal)\(\s*'\w+',\s*['"`][a-z_]+(?:[.[][\w\]${}]+)*: /.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  expect(prefixed).toEqual([])
})
