// Runs the steps of the Dockerfile in a temporary folder, without a container runtime: copies the same files, runs the
// same commands, then starts the image's entry point with the embedded database, calls its health check, checks that
// it writes nothing into its own folder, and stops it. Called by `.ci/run`; takes a minute or two, because it installs.
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ignores, readDockerfile, readIgnored } from './dockerfile.ts'
import { fail, root, runtime, say } from './project.mjs'

const START_MS = 120_000
const stages = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
const ignored = readIgnored(readFileSync(join(root, '.dockerignore'), 'utf8'))
const work = mkdtempSync(join(tmpdir(), 'whence-image-'))
const bin = join(work, 'bin')
mkdirSync(bin)
// The image has one Node; files keep the owner that runs this.
writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec "${runtime()}" "$@"\n`, { mode: 0o755 })
writeFileSync(join(bin, 'chown'), '#!/bin/sh\n', { mode: 0o755 })

try {
  for (const stage of stages) await buildStage(stage)
  await startImage(stages.at(-1))
  say(
    'The steps of the image run; it starts, answers its health check, writes nothing into its folder and stops',
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** A stage's own root, and paths of the image inside it. */
function inside(stage, path) {
  const absolute = path.startsWith('/') ? path : join(stage.workdir, path)
  return join(work, stage.name, absolute)
}

function environment(stage) {
  const path = [bin, process.env.PATH].join(delimiter)
  // Only what npm needs for its registry; no settings of this checkout.
  const host = Object.entries(process.env).filter(([name]) =>
    /^(HOME|TMPDIR|NODE_EXTRA_CA_CERTS|npm_config_.*|https?_proxy|no_proxy)$/i.test(name),
  )
  return { ...Object.fromEntries(host), PATH: path, ...stage.args, ...withPaths(stage) }
}

/** Settings of the image that name a folder, in the stage's own root. */
function withPaths(stage) {
  const entries = Object.entries(stage.env).map(([name, value]) => [
    name,
    value.startsWith('/') ? inside(stage, value) : value,
  ])
  return Object.fromEntries(entries)
}

async function buildStage(stage) {
  mkdirSync(inside(stage, '.'), { recursive: true })
  for (const step of stage.steps) {
    if (step.kind === 'copy') copy(stage, step)
    else runStep(stage, step.command)
  }
  say(`ok     stage ${stage.name}`)
}

function copy(stage, { from, sources, target }) {
  const source = from === undefined ? root : undefined
  for (const name of sources) {
    const path = source
      ? join(source, name)
      : inside(
          stages.find((other) => other.name === from),
          name,
        )
    const isFolder = statSync(path).isDirectory()
    const intoFolder = target.endsWith('/') || target === '.' || sources.length > 1
    const to =
      isFolder || !intoFolder ? inside(stage, target) : join(inside(stage, target), name.split('/').at(-1))
    const filter = (file) => source === undefined || !ignores(ignored, relative(root, file))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(path, to, { recursive: true, filter, verbatimSymlinks: true })
  }
}

function runStep(stage, command) {
  const text = command.replaceAll(/(?<=\s)\/data\b/g, inside(stage, '/data'))
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-ec', text], {
    cwd: inside(stage, '.'),
    env: environment(stage),
    encoding: 'utf8',
  })
  if (status !== 0) fail(`${stage.name}: ${command}\n${stdout}${stderr}`)
}

async function startImage(stage) {
  const app = inside(stage, '.')
  const before = listFiles(app)
  const env = { ...environment(stage), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }
  env.PORT = String(await freePort())
  const [program, ...args] = stage.entrypoint
  const service = spawn(program, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  service.stdout.on('data', (chunk) => output.push(chunk))
  service.stderr.on('data', (chunk) => output.push(chunk))
  const ended = new Promise((resolve) => service.once('close', resolve))
  const [check, ...checkArgs] = stage.healthcheck
  const isHealthy = () => spawnSync(check, checkArgs, { cwd: app, env }).status === 0
  if (isHealthy()) fail('The health check passes before the service is up.')
  const deadline = Date.now() + START_MS
  while (!isHealthy()) {
    if (service.exitCode !== null || Date.now() > deadline)
      fail(`The image does not start:\n${output.join('')}`)
    await delay(200)
  }
  service.kill('SIGTERM')
  if ((await ended) !== 0) fail(`The image does not stop cleanly:\n${output.join('')}`)
  // Node updates its compile cache if it can, and works without it otherwise.
  const cache = relative(app, env.NODE_COMPILE_CACHE)
  const written = listFiles(app).filter((file) => !before.includes(file) && !file.startsWith(`${cache}/`))
  if (written.length > 0) fail(`The service writes into its own folder: ${written.slice(0, 5).join(', ')}`)
}

/** Names with size and time, to detect changed files too. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = statSync(path)
      return `${relative(folder, path)} ${size} ${mtimeMs}`
    })
}

async function freePort() {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
