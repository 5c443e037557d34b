/** `proofs.lock`: the hash of each proof's sources when it last passed, and the figures it measured. Only a run writes it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

export type Proven = { sources: string; tests: string[]; figures: string[] }
export type Lock = Record<string, Proven>

const path = join(root, 'proofs.lock')

export const readLock = (): Lock => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Lock) : {})

/** Adds what was proven; forgets proofs that no longer exist. */
export function writeLock(proven: Lock, proofs: readonly string[]): void {
  const all = { ...readLock(), ...proven }
  const kept = Object.entries(all).filter(([file]) => proofs.includes(file))
  kept.sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}

/** Proofs of the whole product: every change of it would start them, so they run at night. */
export const isOfProduct = (file: string): boolean => file.startsWith('server/test/')

/** Those to run again: each whose sources are not those of its last run, and one of the others, drawn by the commit. */
export function chooseProofs(
  lock: Lock,
  hashes: Readonly<Record<string, string>>,
  commit: string,
): { changed: string[]; drawn: string | undefined } {
  const files = Object.keys(hashes)
    .filter((file) => !isOfProduct(file))
    .sort()
  const isProven = (file: string) => lock[file]?.sources === hashes[file]
  const proven = files.filter(isProven)
  const drawn = proven[Number.parseInt(commit.slice(0, 7), 16) % proven.length]
  return { changed: files.filter((file) => !isProven(file)), drawn }
}
