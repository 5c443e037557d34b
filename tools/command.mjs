// `npm run backup -- FILE` and the like: the service's program with another task. A file is meant from where it was typed.
import { resolve } from 'node:path'
import { install } from './install.mjs'
import { run, runtime } from './project.mjs'

await install({ production: true })
const [name, ...args] = process.argv.slice(2)
const from = process.env.INIT_CWD ?? process.cwd()
const given = ['backup', 'restore'].includes(name) ? args.map((file) => resolve(from, file)) : args
process.exit(await run(runtime(), ['server/src/main.ts', name, ...given]))
