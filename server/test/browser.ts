// A real Chromium for tests: the build in node_modules (linux x64 only), else the system's,
// else Debian's package if it can be installed. `node server/test/browser.ts` prepares it before a run.
import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'

const run = promisify(execFile)

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

type Found = {
  executablePath: string
  env?: Record<string, string>
  /** The build in node_modules: a headless shell, which lacks the back/forward cache. */
  isBundled: boolean
}

export type LaunchOptions = {
  args?: string[]
  /**
   * Prefer the system's full browser, for features that the headless shell in node_modules lacks; its pages take
   * 1.5 times as much CPU.
   */
  prefersInstalled?: boolean
  /** Flags of the test driver to omit, such as the one that disables the back/forward cache. */
  withoutArgs?: string[]
}

export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const { executablePath, env } = await findBrowser(options)
  return chromium.launch({
    executablePath,
    args: [...ARGS, ...(options.args ?? [])],
    ignoreDefaultArgs: options.withoutArgs ?? [],
    ...(env ? { env } : {}),
  })
}

export type BrowserWindow = {
  context: BrowserContext
  page: Page
  /**
   * Clears cookies and storage for the next test. Tests that go offline need their own window, because the driver
   * does not fully restore the connection.
   */
  leave(): Promise<void>
}

/**
 * A window for many tests in sequence: opening one takes as much CPU as four pages.
 * `away` is the path of a page without scripts that exists at each of their sites.
 */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions & { away: string },
): Promise<BrowserWindow> {
  const { away, ...contextOptions } = options
  const context = await browser.newContext(contextOptions)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  if (process.env.SLOW_PAGES !== undefined) await slowDown(context, Number(process.env.SLOW_PAGES))
  return {
    context,
    page,
    async leave() {
      for (const other of context.pages()) if (other !== page) await other.close()
      // Navigates within the same site, so that the page's unload handlers finish before the storage is cleared.
      const { origin, pathname } = new URL(page.url())
      if (origin !== 'null' && pathname !== away) await page.goto(`${origin}${away}`)
      await devtools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
    },
  }
}

const SLOWEST_FILE_MS = 300
const SLOWEST_ANSWER_MS = 1500

/**
 * Delays every file and response by a seeded random time, so that responses arrive out of order, and throttles the
 * page's CPU to a quarter: reveals tests that rely on an order or on immediate rendering.
 */
async function slowDown(context: BrowserContext, seed: number): Promise<void> {
  let state = seed
  // The "minimal standard" generator: good enough to shuffle responses.
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const throttle = async (page: Page) => {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  for (const page of context.pages()) await throttle(page)
  // Fails for a page that is closed immediately, which needs no throttling.
  context.on('page', (page) => void throttle(page).catch(() => undefined))
  await context.route('**/*', async (route) => {
    const isAnswer = ['fetch', 'xhr'].includes(route.request().resourceType())
    await delay(random() * (isAnswer ? SLOWEST_ANSWER_MS : SLOWEST_FILE_MS))
    // The page may have navigated away in the meantime.
    await route.continue().catch(() => undefined)
  })
}

export async function findBrowser({ prefersInstalled = false }: LaunchOptions = {}): Promise<Found> {
  const installed = findInstalled()
  const installedBrowser =
    installed === undefined ? undefined : { executablePath: installed, isBundled: false }
  if (installedBrowser && (prefersInstalled || process.env.CHROMIUM_PATH)) return installedBrowser
  if (process.platform === 'linux' && process.arch === 'x64') {
    const bundled = await findBundled()
    if (!installedBrowser || (await canRun(bundled))) return bundled
  }
  return installedBrowser ?? { executablePath: await installWithApt(), isBundled: false }
}

async function findBundled(): Promise<Found> {
  const folder = await unpackBundled()
  return {
    isBundled: true,
    executablePath: join(folder, 'chromium'),
    env: {
      ...definedOnly(process.env),
      LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_PATH: folder,
      // With the locale C, this build reports the language en-US@posix.
      LANG: 'en_US.UTF-8',
      LANGUAGE: 'en_US',
    },
  }
}

let runs: Promise<boolean> | undefined

/** The bundled build does not run with every machine's C library. */
function canRun({ executablePath, env }: Found): Promise<boolean> {
  runs ??= run(executablePath, ['--version'], { env }).then(
    () => true,
    () => false,
  )
  return runs
}

function findInstalled(): string | undefined {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    if (!existsSync(configured)) throw new Error(`CHROMIUM_PATH names ${configured}, which does not exist.`)
    return configured
  }
  return INSTALLED.find((path) => existsSync(path))
}

/** Unpacks into a temporary folder and renames it, so parallel test workers never see an incomplete browser. */
export async function unpackBundled(cache = defaultCache(), packed = packedFolder()): Promise<string> {
  const target = join(cache, 'chromium')
  if (existsSync(target)) return target
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'unpack-'))
  try {
    await unbrotli(join(packed, 'chromium.br'), join(fresh, 'chromium'))
    await chmod(join(fresh, 'chromium'), 0o755)
    for (const archive of ['al2023.tar', 'fonts.tar']) {
      await unbrotli(join(packed, `${archive}.br`), join(fresh, archive))
      await run('tar', ['-xf', join(fresh, archive), '-C', fresh])
      await rm(join(fresh, archive))
    }
    // The bundled file has folders of another machine.
    await writeFile(join(fresh, 'fonts.conf'), fontsConf(target))
    await rename(fresh, target)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

function packedFolder(): string {
  return join(dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))), 'bin')
}

function fontsConf(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('')
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}<cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`
}

function defaultCache(): string {
  return join(import.meta.dirname, '../../node_modules/.cache/whence-browser')
}

async function unbrotli(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to))
}

async function installWithApt(): Promise<string> {
  const help = `No Chromium found for ${process.platform} ${process.arch}: install the package "chromium" or set CHROMIUM_PATH to a Chrome or Chromium executable.`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(help)
  const lock = join(defaultCache(), 'apt-lock')
  await mkdir(defaultCache(), { recursive: true })
  // One worker installs, the others wait for the browser or for the release of the lock.
  while (!findInstalled()) {
    const mine = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (!mine) {
      await delay(500)
      await dropAbandoned(lock)
      continue
    }
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      await run('apt-get', ['update', '-qq'], { env })
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
        env,
        maxBuffer: 64 << 20,
      })
      if (!findInstalled()) throw new Error('the package installed no executable')
    } catch (cause) {
      throw new Error(help, { cause })
    } finally {
      await rm(lock, { recursive: true, force: true })
    }
  }
  return findInstalled()!
}

async function dropAbandoned(lock: string): Promise<void> {
  const lockStat = await stat(lock).catch(() => undefined)
  if (lockStat && Date.now() - lockStat.mtimeMs > 10 * 60_000)
    await rm(lock, { recursive: true, force: true })
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

if (import.meta.main) {
  try {
    const { executablePath } = await findBrowser()
    process.stdout.write(`${executablePath}\n`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
