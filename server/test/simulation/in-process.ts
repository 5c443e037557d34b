import { execFile } from 'node:child_process'
import { cloneDatabase } from '../database.ts'

type Ran = { code: number; output: string }

/** In a separate process, because it replaces the clock of the whole process. */
export async function runSimulation(checkout: string, steps: number, seed: number): Promise<Ran> {
  const database = await cloneDatabase()
  try {
    return await new Promise<Ran>((resolve) => {
      execFile(
        process.execPath,
        ['server/test/simulation/run.ts', '--steps', String(steps), '--seed', String(seed)],
        { cwd: checkout, env: { ...process.env, SIMULATION_DATABASE_URL: database.connectionString } },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
      )
    })
  } finally {
    await database.drop()
  }
}
