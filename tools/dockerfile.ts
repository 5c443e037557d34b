// Parses the subset of Dockerfile and .dockerignore that we use; unknown instructions are refused.

type Step =
  | { kind: 'copy'; from: string | undefined; sources: string[]; target: string }
  | { kind: 'run'; command: string }

export type Stage = {
  name: string
  image: string
  workdir: string
  args: Record<string, string>
  env: Record<string, string>
  steps: Step[]
  ports: number[]
  volumes: string[]
  user?: string
  entrypoint?: string[]
  healthcheck?: string[]
  stopSignal?: string
}

/** The stages with their steps, environment, entry point and health check. */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = []
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  for (const line of lines) {
    const [, instruction = '', argument = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (instruction === 'ARG' && stages.length === 0) continue
    if (instruction === 'FROM') stages.push(newStage(argument))
    else apply(stages.at(-1)!, instruction, argument)
  }
  return stages
}

function newStage(text: string): Stage {
  const [, image, name] = /^(\S+) AS (\S+)$/.exec(text) ?? []
  if (image === undefined || name === undefined) throw new Error(`FROM ${text}: name the stage`)
  return { name, image, workdir: '/', args: {}, env: {}, steps: [], ports: [], volumes: [] }
}

function apply(stage: Stage, instruction: string, argument: string): void {
  switch (instruction) {
    case 'WORKDIR':
      stage.workdir = argument
      return
    case 'ARG':
      Object.assign(stage.args, pairs(argument))
      return
    case 'ENV':
      Object.assign(stage.env, pairs(argument))
      return
    case 'COPY':
      stage.steps.push(copyStep(argument))
      return
    case 'RUN':
      stage.steps.push({ kind: 'run', command: argument })
      return
    case 'USER':
      stage.user = argument
      return
    case 'VOLUME':
      stage.volumes.push(argument)
      return
    case 'EXPOSE':
      stage.ports.push(Number(argument))
      return
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(argument)
      return
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(/ CMD (\[.*\])$/.exec(argument)![1]!)
      return
    case 'STOPSIGNAL':
      stage.stopSignal = argument
      return
    default:
      throw new Error(`Unsupported instruction ${instruction}`)
  }
}

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('=')))
}

function copyStep(text: string): Step {
  const parts = text.split(/\s+/)
  const from = parts[0]!.startsWith('--from=') ? parts.shift()!.slice('--from='.length) : undefined
  return { kind: 'copy', from, sources: parts.slice(0, -1), target: parts.at(-1)! }
}

export function readIgnored(text: string): RegExp[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(toExpression)
}

/** `**` matches any folders, `*` any characters of a name; a match covers everything below it. */
function toExpression(pattern: string): RegExp {
  const body = pattern
    .split('/')
    .map((part) =>
      part === '**' ? '(?:.*/)?' : `${part.replace(/[.+^$()|[\]{}]/g, '\\$&').replaceAll('*', '[^/]*')}/`,
    )
    .join('')
    .replace(/\/$/, '')
  return new RegExp(`^${body}(?:/|$)`)
}

export function ignores(expressions: readonly RegExp[], path: string): boolean {
  return expressions.some((expression) => expression.test(path))
}
