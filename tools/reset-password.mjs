import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install({ production: true, withoutBuild: true })
process.exit(await run(runtime(), ['server/src/main.ts', 'reset-password', ...process.argv.slice(2)]))
