// `npm run backup -- FILE` and the like: subcommands of the service's program. Paths are relative to the caller's folder.
import { resolve } from 'node:path'
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install({ production: true, withoutBuild: true })
const [name, ...args] = process.argv.slice(2)
const from = process.env.INIT_CWD ?? process.cwd()
const given = ['backup', 'restore'].includes(name) ? args.map((file) => resolve(from, file)) : args
process.exit(await run(runtime(), ['server/src/main.ts', name, ...given]))
