/** Runs the commands of "Point-in-time recovery" in docs/operating.md on a PostgreSQL server of this machine. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from './free-port.ts'

const page = readFileSync(fileURLToPath(new URL('../../docs/operating.md', import.meta.url)), 'utf8')
const section = page.slice(page.indexOf('### Point-in-time recovery'))
const [archive, base, restore] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands!)

/** Debian's server, newest first; `.ci/run` installs it. */
const programs = globSync('/usr/lib/postgresql/*/bin')
  .filter((path) => existsSync(join(path, 'pg_basebackup')) && existsSync(join(path, 'initdb')))
  .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0]
if (programs === undefined)
  process.stderr.write(
    "SKIPPED: no PostgreSQL server (Debian's postgresql) to try point-in-time recovery on.\n",
  )
let folder: string
let port: number

/** PostgreSQL refuses to run as root. */
const account = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []

function shell(commands: string): string {
  const [program, ...args] = [...account, 'sh', '-euc', commands]
  const { status, stdout, stderr } = spawnSync(program!, args, {
    cwd: folder,
    encoding: 'utf8',
    // A server keeps its parent's output open.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      PGDATA: join(folder, 'data'),
      PGHOST: folder,
      PGPORT: String(port),
      PGUSER: 'postgres',
    },
  })
  expect(status, `${commands}\n${stderr}`).toBe(0)
  return stdout.trim()
}

const ask = (sql: string) => shell(`psql -d postgres -Atc "${sql}"`)
/** In a folder of the test, with the output of the server in a file. */
const documented = (commands: string) =>
  shell(commands.replaceAll('/srv/', `${folder}/`).replaceAll('-w ', `-w -l ${folder}/log `))

beforeAll(async () => {
  if (programs === undefined) return
  folder = mkdtempSync(join(tmpdir(), 'whence-point-in-time-'))
  port = await freePort()
  if (account.length > 0) {
    const { stdout } = spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' })
    chownSync(folder, Number(stdout), Number(stdout))
  }
  shell('initdb -U postgres --auth=trust --no-sync >/dev/null')
  const settings = [`port = ${port}`, `unix_socket_directories = '${folder}'`, `listen_addresses = ''`]
  shell(`printf "%s\\n" ${settings.map((line) => `"${line}"`).join(' ')} >> data/postgresql.conf`)
  shell(`pg_ctl -D data -w -l ${folder}/log start`)
})
afterAll(() => {
  if (programs === undefined) return
  shell(
    'for data in data whence-restored; do [ ! -f $data/postmaster.pid ] || pg_ctl -D $data -m immediate stop; done',
  )
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(programs === undefined)('a server returns to the moment before a mistake', () => {
  documented(archive!)
  ask('create table sales (id int)')
  documented(base!)
  ask('insert into sales select generate_series(1, 3)')
  const moment = ask('select clock_timestamp()')
  ask('delete from sales')
  ask('select pg_switch_wal()')
  documented(restore!.replace(/recovery_target_time = '[^']*'/, `recovery_target_time = '${moment}'`))
  // The server answers reads before it has replayed everything.
  const state = shell(
    'until [ "$(psql -d postgres -Atc "select pg_is_in_recovery()")" = f ]; do :; done; echo open',
  )
  expect([state, ask('select count(*) from sales')]).toEqual(['open', '3'])
})
