// npm run dev: the service restarts on a change with its database kept; the console reloads in the browser.
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
process.exit(await run(runtime(), ['tools/dev/main.mjs', ...process.argv.slice(2)]))
