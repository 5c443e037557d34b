// Shared by the scripts. Plain JavaScript for Node 20, because they run before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')

export function say(line) {
  process.stdout.write(`${line}\n`)
}

export function fail(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** Node 24 from the install; or the system's Node, if it is new enough and install scripts were not allowed to run. */
export function runtime() {
  const installed = join(bin, 'node')
  if (existsSync(installed)) return installed
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail('Node 24 was not installed: run npm ci without --ignore-scripts, or use Node 24 yourself.')
}

/**
 * Puts the installed programs and Node 24 first in PATH and enables the compile cache, which halves
 * the time the service takes to load its code.
 */
export function environment() {
  return {
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    ...process.env,
    PATH: [dirname(runtime()), bin, process.env.PATH].join(delimiter),
  }
}

/** With the system's programs: an install must not run on the Node that it replaces. */
export function outerEnvironment() {
  const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))
  return { ...process.env, PATH: path.join(delimiter) }
}

/** Runs a command, shows its output (immediately, or with `quiet` only on failure) and resolves to its exit code. */
export function run(command, args, { cwd = root, env = environment(), quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit' })
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    const stopForwarding = forwardSignals(child)
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`)
      resolve(127)
    })
    child.on('close', (code, signal) => {
      stopForwarding()
      if (code !== 0) process.stdout.write(Buffer.concat(output))
      resolve(signal ? 128 + signalNumbers[signal] : code)
    })
  })
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }

function forwardSignals(child) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    // A terminal already sends Ctrl-C to the whole group; a second signal could force an immediate exit.
    const handler = () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  return () => {
    for (const off of handlers) off()
  }
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** The newest change among files and directories, except installed and built files. */
export function newestChange(paths) {
  let newest = 0
  for (const path of paths) {
    if (!existsSync(path)) continue
    const found = statSync(path)
    if (!found.isDirectory()) newest = Math.max(newest, found.mtimeMs)
    else {
      const inside = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist')
      newest = Math.max(newest, newestChange(inside.map((name) => join(path, name))))
    }
  }
  return newest
}
