import { type Platform, platforms } from './platforms.ts'

/** The section of docs/operating.md. */
export function platformsSection(): string {
  const rows = platforms.map((platform) => {
    const setting = platform.name === 'shortvideo' ? '' : `\`PROVIDER_${platform.name.toUpperCase()}\``
    return `| \`${platform.name}\` | ${platform.platform} | ${setting} | ${platform.register} |`
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

function detail(platform: Platform): string[] {
  const addresses =
    platform.authorizeBaseUrl === null
      ? [`- api_base_url: \`${platform.apiBaseUrl}\``]
      : [
          `- callback: \`BASE_URL/connect/callback/${platform.name}\``,
          `- authorize_base_url: \`${platform.authorizeBaseUrl}\``,
          `- api_base_url: \`${platform.apiBaseUrl}\``,
        ]
  return [
    '',
    `### ${platform.name}: ${platform.platform}`,
    '',
    ...addresses,
    ...(platform.scopes.length === 0
      ? []
      : [`- scopes: ${platform.scopes.map((scope) => `\`${scope}\``).join(', ')}`]),
    ...(platform.webhooks === null
      ? []
      : [`- webhooks: \`BASE_URL/webhooks/in/${platform.name}\`, ${platform.webhooks}`]),
    ...Object.entries(platform.extra).map(([name, description]) => `- extra.${name}: ${description}`),
    ...(platform.notes === '' ? [] : [`- ${platform.notes}`]),
    `- source: ${platform.source} (${platform.readOn === null ? 'not verified' : `read on ${platform.readOn}`})`,
  ]
}
