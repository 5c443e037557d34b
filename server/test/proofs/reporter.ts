/** Writes each proof that passed completely, with the figures that it printed, into `proofs.lock`. */
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { type Lock, writeLock } from './lock.ts'
import { hashOf, listProofs, root, sourcesOf } from './sources.ts'

type Printed = Parameters<NonNullable<Reporter['onUserConsoleLog']>>[0]

export class ProofsLock implements Reporter {
  private vitest: Vitest | undefined
  private readonly printed = new Map<string, string[]>()

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onUserConsoleLog(log: Printed): void {
    const task = log.taskId === undefined ? undefined : this.vitest?.state.idMap.get(log.taskId)
    if (task === undefined || log.type !== 'stdout') return
    const lines = this.printed.get(task.file.filepath) ?? []
    lines.push(...stripVTControlCharacters(log.content).trimEnd().split('\n'))
    this.printed.set(task.file.filepath, lines)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A run of some tests, or with another seed, proves less.
    if (this.vitest?.config.testNamePattern !== undefined || process.env.SEED !== undefined) return
    const proven: Lock = {}
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      if (tests.length === 0 || tests.some((test) => test.result().state !== 'passed')) continue
      const file = relative(root, module.moduleId)
      proven[file] = {
        sources: hashOf(sourcesOf(file)),
        tests: tests.map((test) => test.fullName).sort(),
        figures: (this.printed.get(module.moduleId) ?? []).sort(),
      }
    }
    writeLock(proven, listProofs())
  }
}
