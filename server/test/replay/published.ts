/** Material as its publisher wrote it; README.md names the sources. */
import { readFileSync } from 'node:fs'
import type { SyncRecord } from '../../src/connectors/connector.ts'

export const published = <T>(path: string): T =>
  JSON.parse(readFileSync(new URL(`./${path}`, import.meta.url), 'utf8')) as T

/** A record without what the provider said next to the fields we know. */
export const withoutAside = <R extends SyncRecord>({ aside: _aside, ...record }: R): Omit<R, 'aside'> =>
  record
