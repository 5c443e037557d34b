import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { expect } from 'vitest'
import { launchBrowser, unpackBundled } from './browser.ts'
import { longIt, shortIt as test } from './length.ts'

const run = promisify(execFile)

test('a real browser runs scripts and exits after close', async () => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent('<title>here</title>')
    expect(await page.evaluate('document.title + " " + typeof navigator.sendBeacon')).toBe('here function')
  } finally {
    await browser.close()
  }
  expect(browser.isConnected()).toBe(false)
})

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-unpack-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

longIt('the bundled browser unpacks completely, with its libraries', () =>
  inFolder(async (cache) => {
    const unpacked = await unpackBundled(cache)
    expect(await readdir(cache)).toEqual(['chromium'])
    expect((await readdir(join(unpacked, 'lib'))).some((name) => name.startsWith('libnss3'))).toBe(true)
    const [fonts] = /(?<=<dir>).*?(?=<\/dir>)/.exec(await readFile(join(unpacked, 'fonts.conf'), 'utf8'))!
    expect(await readdir(fonts)).not.toEqual([])
    const file = await open(join(unpacked, 'chromium'))
    const { buffer } = await file.read(Buffer.alloc(20), 0, 20, 0)
    await file.close()
    // ELF, x86-64: findBrowser offers it on no other architecture.
    expect([buffer.subarray(1, 4).toString(), buffer.readUInt16LE(18)]).toEqual(['ELF', 0x3e])
  }),
)

test('two concurrent unpacks produce one complete browser', () =>
  inFolder(async (folder) => {
    const packed = join(folder, 'packed')
    await mkdir(packed)
    await writeFile(join(packed, 'chromium.br'), brotliCompressSync('a browser'))
    for (const name of ['al2023', 'fonts']) {
      await writeFile(join(folder, name), `files of ${name}`)
      const { stdout } = await run('tar', ['-c', '-C', folder, name], { encoding: 'buffer' })
      await writeFile(join(packed, `${name}.tar.br`), brotliCompressSync(stdout))
    }
    const cache = join(folder, 'cache')
    const [first, second] = await Promise.all([unpackBundled(cache, packed), unpackBundled(cache, packed)])
    expect(second).toBe(first)
    expect(await readdir(cache)).toEqual(['chromium'])
    expect((await readdir(first)).toSorted()).toEqual(['al2023', 'chromium', 'fonts', 'fonts.conf'])
    expect(await readFile(join(first, 'chromium'), 'utf8')).toBe('a browser')
  }))
