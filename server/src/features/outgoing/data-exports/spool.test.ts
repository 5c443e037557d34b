import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSpool } from './spool.ts'

it('files beyond the memory limit are stored on disk, all can be read, and none remains after close', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-spool-'))
  const folder = join(dataDir, 'data-export-spool', 'destination.attempt')
  try {
    const spool = await openSpool(dataDir, 'destination', 'attempt')
    const files = Array.from({ length: 18 }, (_, number) => Buffer.alloc(1024 * 1024, number))
    for (const [number, bytes] of files.entries()) spool.put(`credits/day=${number}/a.parquet`, bytes)
    expect(await readdir(folder)).toHaveLength(2)
    for (const [number, bytes] of files.entries())
      expect(bytes.equals(await spool.read(`credits/day=${number}/a.parquet`))).toBe(true)
    await spool.close()
    expect(await readdir(join(dataDir, 'data-export-spool'))).toEqual([])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

it('a file in memory does not change when the writer reuses its buffer', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-spool-'))
  try {
    const spool = await openSpool(dataDir, 'destination', 'attempt')
    const bytes = Buffer.from('first')
    spool.put('a', bytes)
    bytes.write('later')
    expect(Buffer.from(await spool.read('a')).toString()).toBe('first')
    await spool.close()
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

it('an attempt removes leftovers of earlier attempts, and an earlier attempt that ends later keeps the new files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-spool-'))
  const folder = join(dataDir, 'data-export-spool')
  try {
    const first = await openSpool(dataDir, 'destination', 'first')
    const other = await openSpool(dataDir, 'other', 'first')
    const second = await openSpool(dataDir, 'destination', 'second')
    expect((await readdir(folder)).toSorted()).toEqual(['destination.second', 'other.first'])
    second.put('held', Buffer.alloc(16 * 1024 * 1024))
    second.put('stored', Buffer.from('second'))
    await first.close()
    expect(Buffer.from(await second.read('stored')).toString()).toBe('second')
    await second.close()
    await other.close()
    expect(await readdir(folder)).toEqual([])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
