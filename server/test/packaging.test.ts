/**
 * Checks the deployment files without a container runtime: every file, variable, port and metric in them
 * is compared with the code. `tools/image-steps.mjs`, which `.ci/run` calls, runs the steps of the image.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ignores, readDockerfile, readIgnored, type Stage } from '../../tools/dockerfile.ts'
import { routes } from '../src/app.ts'
import { environment } from '../src/environment.ts'
import { version } from '../src/platform/version.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const yaml = (file: string) => parse(read(file), { merge: true })
const manifest = JSON.parse(read('package.json'))
const settings = Object.keys(environment)
/** Variables that Node reads. */
const ofNode = ['NODE_ENV', 'NODE_COMPILE_CACHE']
const defaultPort = environment.PORT.parse(undefined)

const stages: Stage[] = readDockerfile(read('Dockerfile'))
const image = stages.at(-1)!
const ignored = readIgnored(read('.dockerignore'))

describe('the image', () => {
  it('copies only files that exist and are not ignored, and only from stages that exist', () => {
    for (const stage of stages)
      for (const step of stage.steps) {
        if (step.kind !== 'copy') continue
        if (step.from !== undefined) expect(stages.map(({ name }) => name)).toContain(step.from)
        else
          for (const source of step.sources) {
            expect(existsSync(join(root, source)), source).toBe(true)
            expect(ignores(ignored, source), source).toBe(false)
          }
      }
  })

  it('has the manifest of every workspace, so that npm ci agrees with the lockfile', () => {
    for (const folder of manifest.workspaces)
      expect(JSON.stringify(stages[0]!.steps)).toContain(`${folder}/package.json`)
  })

  it('runs the Node of package.json, as a user without rights, and installs no development packages', () => {
    expect(read('Dockerfile')).toContain(`NODE_IMAGE=node:${manifest.dependencies.node}-`)
    expect(image.user).toBe('node')
    expect(JSON.stringify(stages[0]!.steps)).toContain('npm ci --omit=dev')
    expect(image.steps.some((step) => step.kind === 'run' && step.command.includes('npm'))).toBe(false)
  })

  it('sets only settings that exist, and exposes the port and the folder that it sets', () => {
    for (const name of Object.keys(image.env)) expect([...settings, ...ofNode]).toContain(name)
    expect(image.ports).toEqual([defaultPort])
    expect(Number(image.env.PORT)).toBe(defaultPort)
    expect(image.volumes).toEqual([image.env.DATA_DIR])
  })

  it('starts and checks files that it contains, and stops by the signal that the service handles', () => {
    for (const command of [image.entrypoint, image.healthcheck]) {
      const file = command![1]!
      expect(existsSync(join(root, file)), file).toBe(true)
      const copied = image.steps.flatMap((step) => (step.kind === 'copy' && !step.from ? step.sources : []))
      expect(
        copied.some((source) => file === source || file.startsWith(`${source}/`)),
        file,
      ).toBe(true)
    }
    expect(read('server/src/serve.ts')).toContain(`'${image.stopSignal}'`)
  })
})

describe.each(['compose.yaml', 'deploy/citus/compose.yaml'])('%s', (file) => {
  const compose = yaml(file)
  type ComposeService = { volumes?: string[]; depends_on?: string[] | Record<string, unknown> }
  const services = Object.entries<ComposeService>(compose.services)

  it('mounts files that exist and volumes that it declares', () => {
    for (const [name, { volumes = [] }] of services)
      for (const volume of volumes) {
        const source = volume.split(':')[0]!
        if (source.startsWith('.')) expect(existsSync(join(root, source)), `${name}: ${source}`).toBe(true)
        else expect(Object.keys(compose.volumes), `${name}: ${source}`).toContain(source)
      }
  })

  it('depends on services that exist', () => {
    const names = new Set([...Object.keys(yaml('compose.yaml').services), ...Object.keys(compose.services)])
    for (const [, { depends_on: needs = [] }] of services)
      for (const name of Array.isArray(needs) ? needs : Object.keys(needs)) expect(names).toContain(name)
  })

  it('uses only variables of .env that the example has', () => {
    const variables = new Set(
      [...read('deploy/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
    )
    const optional = ['BUILD_ID', 'PUBLISH', 'TRUST_PROXY']
    for (const [, name] of read(file)
      .replace(/^\s*#.*$/gm, '')
      .matchAll(/\$\{([A-Z_]+)/g))
      expect([...variables, ...optional]).toContain(name)
  })
})

describe('compose.yaml', () => {
  const { services } = yaml('compose.yaml')

  it.each(['api', 'worker'])(
    '%s: sets settings that exist, and runs this version read-only and without capabilities',
    (name) => {
      const service = services[name]
      for (const setting of Object.keys(service.environment)) expect(settings).toContain(setting)
      expect(environment.ROLE.parse(service.environment.ROLE)).toBe(name)
      expect(environment.METRICS_ADDRESS.parse(service.environment.METRICS_ADDRESS)).toEqual({
        host: '0.0.0.0',
        port: metricsPort,
      })
      expect(service.image).toBe(`whence:${version}`)
      expect(service.read_only).toBe(true)
      expect(service.cap_drop).toEqual(['ALL'])
      expect(service.volumes).toContain(`data:${image.volumes[0]}`)
    },
  )

  it('publishes the port of the service on loopback by default', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the file's own placeholders
    expect(services.api.ports).toEqual(['${PUBLISH:-127.0.0.1}:${API_PORTS:-4400}:4400'])
  })

  it('has a stop timeout longer than the service needs', () => {
    const drain = Number(services.api.environment.DRAIN_SECONDS)
    const shutdown = environment.SHUTDOWN_SECONDS.parse(undefined)
    expect(Number.parseInt(services.api.stop_grace_period, 10)).toBeGreaterThan(drain + shutdown)
  })
})

const metricsPort = 9400

describe('the proxies', () => {
  it('Caddy forwards to the API of compose.yaml, and takes no process out for everybody', () => {
    const caddy = read('deploy/Caddyfile')
    expect(caddy).toContain(`reverse_proxy api:${defaultPort}`)
    expect(caddy).not.toMatch(/health_|max_fails|unhealthy_/)
  })

  it('nginx allows the largest body, and has a timeout longer than any response takes', () => {
    const nginx = read('deploy/nginx.conf')
    expect(nginx).toContain(`server 127.0.0.1:${defaultPort} max_fails=0;`)
    expect(nginx).toMatch(/proxy_next_upstream error timeout;/)
    const megabytes = Number(/client_max_body_size (\d+)m/.exec(nginx)![1])
    expect(megabytes * 1024 ** 2).toBeGreaterThanOrEqual(largestBody())
    const silent = Number(
      /SILENT_CONNECTION_MS = ([\d_]+)/
        .exec(read('server/src/platform/http/server.ts'))![1]!
        .replaceAll('_', ''),
    )
    expect(Number(/proxy_read_timeout (\d+)s/.exec(nginx)![1]) * 1000).toBeGreaterThanOrEqual(silent)
  })
})

function largestBody(): number {
  return Math.max(...routes.map(({ entry }) => entry.bodyLimit ?? 0))
}

it('the systemd unit starts a file that exists, with settings that exist', () => {
  const unit = read('deploy/whence@.service')
  const [, directory] = /^WorkingDirectory=(.+)$/m.exec(unit)!
  const [, command] = /^ExecStart=(.+)$/m.exec(unit)!
  const [node, file] = command!.split(' ')
  expect(node).toBe(`${directory}/node_modules/.bin/node`)
  expect(existsSync(join(root, file!))).toBe(true)
  for (const [, name] of unit.matchAll(/(?:^Environment=| )([A-Z_]+)=/gm))
    expect([...settings, ...ofNode]).toContain(name)
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])
  expect(stop).toBeGreaterThan(10 + environment.SHUTDOWN_SECONDS.parse(undefined) + 15)
})

describe('monitoring', () => {
  /** Metric names in the code; Prometheus adds `up`. */
  const source = [
    'server/src/observe.ts',
    'server/src/platform/http/metrics.ts',
    'server/src/platform/http/request-hooks.ts',
    'server/src/platform/jobs/worker.ts',
  ]
    .map(read)
    .join('\n')
  const isKnown = (metric: string) => {
    const name = metric.replace(/_(bucket|sum|count)$/, '')
    const inTemplates = [
      'jobs_scheduled',
      'jobs_ready',
      'jobs_running',
      'jobs_dead',
      'database_pool_open',
      'database_pool_idle',
      'database_pool_waiting',
    ]
    return name === 'up' || source.includes(`'${name}'`) || inTemplates.includes(name)
  }
  const metricsIn = (expression: string) =>
    [
      ...expression
        .replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, '')
        .matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b|\bup\b/g),
    ]
      .map(([name]) => name)
      .filter((name) => !['histogram_quantile', 'min_over_time'].includes(name))

  type Alert = { alert: string; expr: string; annotations: { runbook_url: string } }
  const { rule_files: ruleFiles, scrape_configs: scraped } = yaml('deploy/prometheus.yml')
  const alertsIn = (file: string): Alert[] =>
    yaml(`deploy/${file}`).groups.flatMap((group: { rules: Alert[] }) => group.rules)
  const alerts: Alert[] = ruleFiles.flatMap(alertsIn)
  const runbooks = read('docs/runbooks.md')

  it.each(alerts.map((rule) => [rule.alert, rule] as const))(
    '%s: watches metrics that exist, and has a runbook',
    (name, rule) => {
      const metrics = metricsIn(rule.expr)
      expect(metrics.length).toBeGreaterThan(0)
      for (const metric of metrics) expect(isKnown(metric), metric).toBe(true)
      expect(rule.annotations.runbook_url).toBe(`docs/runbooks.md#${name.toLowerCase()}`)
      expect(runbooks).toContain(`\n## ${name}\n`)
    },
  )

  it('every runbook belongs to an alert', () => {
    const titles = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, title]) => title)
    expect(titles.sort()).toEqual(alerts.map(({ alert }) => alert).sort())
  })

  it.each(['service', 'work'])('the dashboard %s shows metrics that exist', (name) => {
    const { panels, uid } = JSON.parse(read(`deploy/grafana/${name}.json`))
    expect(uid).toBe(`whence-${name}`)
    for (const panel of panels)
      for (const { expr } of panel.targets)
        for (const metric of metricsIn(expr)) expect(isKnown(metric), `${panel.title}: ${metric}`).toBe(true)
  })

  it('Prometheus scrapes the processes of compose.yaml, and loads a file that exists', () => {
    const { services } = yaml('compose.yaml')
    const { names, type, port } = scraped[0].dns_sd_configs[0]
    expect(names).toEqual(['api', 'worker'])
    for (const name of names) expect(Object.keys(services)).toContain(name)
    expect({ type, port }).toEqual({ type: 'A', port: metricsPort })
    const mounted = services.prometheus.volumes.map((volume: string) => volume.split(':')[1])
    for (const file of ['prometheus.yml', ...ruleFiles]) expect(mounted).toContain(`/etc/prometheus/${file}`)
    for (const file of ruleFiles) expect(existsSync(join(root, 'deploy', file))).toBe(true)
  })

  it('the alert for a stopped container, which has no DNS name and no `up`, is only in the rules for Docker', () => {
    const [{ relabel_configs: labels, dns_sd_configs: dnsConfigs, job_name: job }] = scraped
    expect(labels).toEqual([{ source_labels: ['__meta_dns_name'], target_label: 'service' }])
    const expressions = alertsIn('alerts-compose.yml').map(({ expr }) => expr)
    for (const name of dnsConfigs[0].names)
      expect(expressions.join()).toContain(`absent(up{job="${job}",service="${name}"})`)
    for (const { expr } of alertsIn('alerts.yml')) expect(expr).not.toContain('service=')
  })
})

it('every command in docs, compose file and units exists', () => {
  const commands = Object.keys(manifest.scripts)
  const texts = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'docs/operating.md',
    'docs/runbooks.md',
    'docs/scale.md',
  ].map(read)
  for (const [, name] of texts.join('\n').matchAll(/npm run ([a-z][a-z-]*)/g))
    expect(commands).toContain(name)
  const ofService = [
    ...read('server/src/run.ts').matchAll(/^ {2}'?([a-z-]+)'?: async \(\) => .*FromCommand,$/gm),
  ].map(([, name]) => name)
  const used = [...texts, read('compose.yaml'), read('Dockerfile')]
    .join('\n')
    .matchAll(/main\.ts ([a-z][a-z-]*)/g)
  for (const [, name] of used) expect(ofService).toContain(name)
})
