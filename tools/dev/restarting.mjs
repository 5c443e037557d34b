import { spawn } from 'node:child_process'
import { watch } from 'node:fs'

const isWatched = (name) => /\.(ts|sql|json)$/.test(name) && !/\.(test|proof)\.ts$/.test(name)

/**
 * Runs a command and restarts it after a change in the folders. One restart at a time; changes during
 * a restart cause one more. A command that exits is started again by the next change.
 */
export function startRestarting({ command, args, cwd, env, folders, beforeStart, say, settleMs = 150 }) {
  let child
  let isStopped = false
  let isDirty = false
  let restarting
  let timer

  const start = async () => {
    await beforeStart?.()
    if (isStopped) return
    const started = spawn(command, args, { cwd, env, stdio: 'inherit' })
    child = started
    started.on('close', (code) => {
      if (child === started) child = undefined
      if (!isStopped && restarting === undefined)
        say(`The service ended (${code ?? 'signal'}); it starts again after the next change.`)
    })
  }
  const stopChild = () =>
    new Promise((resolve) => {
      if (child === undefined) return resolve()
      child.once('close', resolve)
      child.kill('SIGTERM')
    })
  const restart = async () => {
    do {
      isDirty = false
      await stopChild()
      await start()
    } while (isDirty && !isStopped)
  }
  const onChange = (_event, name) => {
    if (isStopped || name === null || !isWatched(name)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      isDirty = true
      if (restarting !== undefined) return
      say(`Changed ${name}: restarting the service`)
      restarting = restart().finally(() => {
        restarting = undefined
      })
    }, settleMs)
  }
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, onChange))
  restarting = start().finally(() => {
    restarting = undefined
  })
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
      await restarting
      await stopChild()
    },
  }
}
