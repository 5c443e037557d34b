/** Runs the sender in a separate process, so that it does not share the service's thread. */
import { fork } from 'node:child_process'
import type { Load, Result } from './sender.ts'

export function send(load: Load): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./sender.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: [],
    })
    child.on('message', (message) => resolve(message as Result))
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code !== 0) reject(new Error(`The sender ended with ${code}.`))
    })
    child.send(load)
  })
}
