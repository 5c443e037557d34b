import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { launchBrowser, unpackBundled } from './browser.ts'

test('a real browser runs script and is gone after close', async () => {
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

test('the bundled browser unpacks whole, with its libraries, and once', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'whence-unpack-'))
  try {
    const [first, second] = await Promise.all([unpackBundled(cache), unpackBundled(cache)])
    expect(second).toBe(first)
    expect(await readdir(cache)).toEqual(['chromium'])
    expect((await readdir(join(first, 'lib'))).some((name) => name.startsWith('libnss3'))).toBe(true)
    const [fonts] = /(?<=<dir>).*?(?=<\/dir>)/.exec(await readFile(join(first, 'fonts.conf'), 'utf8'))!
    expect(await readdir(fonts)).not.toEqual([])
    const file = await open(join(first, 'chromium'))
    const { buffer } = await file.read(Buffer.alloc(20), 0, 20, 0)
    await file.close()
    // ELF, x86-64: the reason why findBrowser offers it on no other architecture.
    expect([buffer.subarray(1, 4).toString(), buffer.readUInt16LE(18)]).toEqual(['ELF', 0x3e])
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
})
