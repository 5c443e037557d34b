/** The real service with its embedded database, started like a user would, for tests to kill. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const HEALTHY_WITHIN_MS = 150_000
const LOOK_EVERY_MS = 50

export class Victim {
  readonly baseUrl: string
  /** From the banner of the first start. */
  apiKey: string | undefined
  private readonly env: Record<string, string>
  private child: ChildProcess | undefined
  output = ''

  constructor(dataDir: string, port: number, env: Record<string, string> = {}) {
    this.baseUrl = `http://127.0.0.1:${port}`
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: this.baseUrl,
      DATA_DIR: dataDir,
      SANDBOX: 'off',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ...env,
    }
  }

  async start(): Promise<void> {
    this.output = ''
    const child = spawn(process.execPath, [main], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.child = child
    const append = (chunk: Buffer) => {
      this.output += String(chunk)
      this.apiKey ??= /whence_(?:live|test)_\w+/.exec(this.output)?.[0]
    }
    child.stdout.on('data', append)
    child.stderr.on('data', append)
    const end = performance.now() + HEALTHY_WITHIN_MS
    for (;;) {
      if (child.exitCode !== null || performance.now() > end)
        throw new Error(`The service did not start: ${this.output}`)
      const reply = await fetch(`${this.baseUrl}/readyz`).catch(() => undefined)
      await reply?.body?.cancel()
      if (reply?.status === 200 && this.apiKey !== undefined) return
      await setTimeout(LOOK_EVERY_MS)
    }
  }

  get pid(): number {
    return this.child!.pid!
  }

  /** With SIGKILL: no signal handler, no further output. */
  kill(): Promise<void> {
    return this.end('SIGKILL')
  }

  stop(): Promise<void> {
    return this.end('SIGTERM')
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this
    this.child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'close')
  }
}
