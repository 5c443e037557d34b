// Prints a warning for each API version that has ended or ends within ninety days; a step of `npm run check`. An argument
// is the day to check for. It never fails: an old checkout must pass in any year.
import { versionEndMessages } from '../server/src/connectors/versions.ts'

const today = process.argv[2] ?? new Date().toISOString().slice(0, 10)
for (const message of versionEndMessages(today)) process.stdout.write(`warning: ${message}\n`)
