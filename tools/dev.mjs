// npm run dev: the service restarts on a change and keeps its database; the console reloads in the browser.
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install()
process.exit(await run(runtime(), ['tools/dev/main.mjs', ...process.argv.slice(2)]))
