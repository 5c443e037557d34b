/** Prints the proofs that have to run again, one per line; `.ci/run` passes the commit. */
import { chooseProofs, readLock } from './lock.ts'
import { hashOf, listProofs, sourcesOf } from './sources.ts'

const hashes = Object.fromEntries(listProofs().map((file) => [file, hashOf(sourcesOf(file))]))
const { changed, drawn } = chooseProofs(readLock(), hashes, process.argv[2] ?? '0')
for (const file of changed) console.log(file)
if (drawn !== undefined) console.log(drawn)
