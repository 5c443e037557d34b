import { type Platform, platforms } from './platforms.ts'

/** The section of docs/operating.md. */
export function platformsSection(): string {
  const rows = platforms.map((one) => {
    const setting = one.name === 'shortvideo' ? '' : `\`PROVIDER_${one.name.toUpperCase()}\``
    return `| \`${one.name}\` | ${one.platform} | ${setting} | ${one.register} |`
  })
  return [
    '## The platforms',
    '',
    'Whence calls platforms by neutral names. This section lists the platforms behind them and what is required to run against them.',
    '',
    '| Name | Platform | Setting | Where to register an app (not verified) |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Addresses and scopes, each with its source and the day on which it was read; rows without that day are not verified. The callback to register is `BASE_URL/connect/callback/<name>`; webhooks arrive at `BASE_URL/webhooks/in/<name>`. API versions, what was checked and what is missing: [connectors.md](connectors.md).',
    ...platforms.flatMap(detail),
  ].join('\n')
}

function detail(one: Platform): string[] {
  const addresses =
    one.authorizeBaseUrl === null
      ? [`- api_base_url: \`${one.apiBaseUrl}\``]
      : [
          `- callback: \`BASE_URL/connect/callback/${one.name}\``,
          `- authorize_base_url: \`${one.authorizeBaseUrl}\``,
          `- api_base_url: \`${one.apiBaseUrl}\``,
        ]
  return [
    '',
    `### ${one.name}: ${one.platform}`,
    '',
    ...addresses,
    ...(one.scopes.length === 0 ? [] : [`- scopes: ${one.scopes.map((scope) => `\`${scope}\``).join(', ')}`]),
    ...(one.webhooks === null ? [] : [`- webhooks: \`BASE_URL/webhooks/in/${one.name}\`, ${one.webhooks}`]),
    ...Object.entries(one.extra).map(([name, description]) => `- extra.${name}: ${description}`),
    ...(one.notes === '' ? [] : [`- ${one.notes}`]),
    `- source: ${one.source} (${one.readOn === null ? 'not verified' : `read on ${one.readOn}`})`,
  ]
}
