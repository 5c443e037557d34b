import { build } from './build.mjs'
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
await build()
process.exit(await run(runtime(), ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]))
