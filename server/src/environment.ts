/** The environment variables, each with its meaning; config.ts reads them. */
import { z } from 'zod'
import { providers } from './connectors/connector.ts'
import { mailboxVendors } from './connectors/mailbox.ts'
import { withoutTrailing } from './platform/contract/text.ts'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const url = z.url({ protocol: /^https?$/ }).transform((value) => withoutTrailing(value, '/'))
const key = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=(,[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=)*$/,
    'must be id:base64 pairs separated by commas, each key 32 bytes',
  )

/** Empty, or such as /whence. */
export function isPathPrefix(value: string): boolean {
  return /^(\/[\w-]+)*$/.test(value)
}

/** What a deployment may be registered at: the providers of connections and mailboxes, and the bank link. */
export const registrations = [...providers, ...mailboxVendors, 'banklink'] as const

/** Each variable with its meaning; docs/operating.md is generated from this. */
export const environment = {
  PORT: wholeNumber(0, 65535).default(4400).describe('Port the service listens on; 0 takes a free one'),
  PROCESSES: z
    .union([z.literal('auto'), wholeNumber(1, 256)])
    .default(1)
    .describe(
      'Processes behind the port; auto is one per core, half as many with a database on the same machine. One where SANDBOX is on',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address the service listens on'),
  BASE_URL: url.optional().describe('Public address of the service; defaults to http://localhost:PORT'),
  BASE_PATH: z
    .string()
    .transform((value) => withoutTrailing(value, '/'))
    .refine(isPathPrefix, 'must be a path such as /whence: letters, digits, - and _')
    .optional()
    .describe(
      'Path below which a proxy serves the service, such as /whence; defaults to the path of BASE_URL. Requests are answered with and without it, so the proxy may remove it or not',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL or Citus to use; unset starts the embedded engine under DATA_DIR'),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'The same database without a connection pooler in between, for migrations, backup and restore; needed where DATABASE_URL goes through PgBouncer in transaction mode',
    ),
  DATABASE_POOL: wholeNumber(2, 200)
    .default(20)
    .describe('Most connections this process opens to the database; on Citus, to each of its nodes'),
  DATABASE_NODES: z
    .enum(['direct', 'coordinator'])
    .default('direct')
    .describe(
      "On Citus, whether a profile's work goes to the node that holds its shard or always to the coordinator (where the service cannot reach the nodes)",
    ),
  DATABASE_CONNECT_SECONDS: wholeNumber(1, 60)
    .default(3)
    .describe('Longest wait for a database connection, a free one of the pool or a new one, before 503'),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(10)
    .describe('Longest that a request waits for one answer of the database before it is refused with 503'),
  SHUTDOWN_SECONDS: wholeNumber(0, 600)
    .default(10)
    .describe('Longest that requests under way may take to finish when the service stops'),
  DRAIN_SECONDS: wholeNumber(0, 600)
    .default(0)
    .describe(
      'How long the service still answers after a stop signal, while /readyz is 503, so that a load balancer sends no more; 0 stops at once',
    ),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(1, 600)
    .default(30)
    .describe('Longest that a request may take to arrive, header and body'),
  OPEN_REQUESTS_PER_ADDRESS: wholeNumber(1, 1_000_000)
    .default(1000)
    .describe('Requests that one address (of IPv6 one /64) may have open at once'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.whence')
    .describe('Folder of the embedded database, generated keys and the mail outbox'),
  DATA_EXPORT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder that data exports of the kind file are written below, one folder per profile; all processes share it. Unset: DATA_DIR/data-exports with the embedded database, otherwise stores only',
    ),
  MASTER_KEYS: key
    .optional()
    .describe(
      'id:base64,… of 32-byte keys, the first is current; generated into DATA_DIR in embedded mode, required with DATABASE_URL',
    ),
  ROLE: z
    .enum(['all', 'api', 'worker'])
    .default('all')
    .describe(
      'What this process does: api answers requests, worker processes events and runs jobs, syncs and webhooks, all does both',
    ),
  OPERATORS: list
    .transform((addresses) => addresses.map((address) => address.toLowerCase()))
    .default([])
    .describe(
      'Addresses of the accounts that may open the operator page and API, separated by commas; with the embedded database, owner@example.com unless set',
    ),
  SANDBOX: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Serve imitations of the providers and a movable clock; unset: on with the embedded database on a loopback address while no provider is configured',
    ),
  SANDBOX_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'What moves the clock and steers the imitations, as Authorization: Bearer; required with SANDBOX=on where HOST or BASE_URL is no loopback address',
    ),
  OTP_RELAY_URL: url
    .optional()
    .describe(
      'Relay that captures the codes sent to chat numbers of the operator’s own: GET {url}/codes/{digits} answers { code } or 404',
    ),
  METRICS_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:]+):\d{1,5}$/, 'must be host:port')
    .transform((value) => ({
      host: value.slice(0, value.lastIndexOf(':')).replace(/^\[|\]$/g, ''),
      port: Number(value.slice(value.lastIndexOf(':') + 1)),
    }))
    .optional()
    .describe(
      'host:port that alone answers /metrics, also of a process with ROLE=worker, besides /healthz and /readyz',
    ),
  METRICS_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'At least 16 characters; sent to /metrics as Authorization: Bearer. Without it and METRICS_ADDRESS, /metrics is answered on loopback addresses only',
    ),
  LINK_TOKEN_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'At least 32 characters; signs the tokens of links to known customers. Unset: no tokens, and those of before link no one',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe(
      'OpenTelemetry collector that traces are sent to by OTLP over HTTP, such as http://localhost:4318; unset records none',
    ),
  OTEL_SERVICE_NAME: z.string().min(1).default('whence').describe('Name of the service in traces'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be from 0 to 1')
    .transform(Number)
    .default(1)
    .describe("Share of traces that is recorded, from 0 to 1; the caller's decision in traceparent wins"),
  TRUST_PROXY: list.default([]).describe('Addresses or CIDRs of proxies whose X-Forwarded-For is believed'),
  KNOWN_APPS: list
    .default([])
    .describe(
      'Client ids of the apps that the operator vouches for; the consent page warns of every other one that the person’s own workspaces did not register',
    ),
  WEBHOOK_ALLOW_CIDRS: list
    .default([])
    .describe(
      'Private address ranges that webhooks may be sent to, also over http; the loopback ranges in a sandbox on a loopback address',
    ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000).default(600).describe('Units a minute per credential'),
  RATE_LIMIT_BURST: wholeNumber(1, 10_000_000).default(100).describe('Units a credential may spend at once'),
  INGEST_PER_SECOND: wholeNumber(1, 10_000_000).default(500).describe('Events a second per profile'),
  PROCESSOR_PARALLEL: wholeNumber(1, 64)
    .default(2)
    .describe('Profiles whose events a process works on at a time; on Citus, of each node'),
  RAW_EVENT_DAYS: wholeNumber(0, 36_500)
    .refine((days) => days === 0 || days >= 100, 'must be 0 or at least 100')
    .default(400)
    .describe(
      'Days that raw events are kept: older ones are dropped unless something came of them. Outcomes, payments, touches, people and every figure stay; 0 keeps all',
    ),
  INGEST_BURST: wholeNumber(1, 10_000_000).default(1000).describe('Events a profile may send at once'),
  BREACH_RANGE_URL: url
    .optional()
    .describe(
      'k-anonymity range endpoint of the breached-password check; unset or unreachable allows the password',
    ),
  SIGN_UP: z
    .enum(['open', 'closed'])
    .default('open')
    .describe(
      'closed: only people with an invitation, or with an account that an app or the operator created, can sign in',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('Mail server; unset writes mail into DATA_DIR/outbox'),
  MAIL_FROM: z.string().default('Whence <no-reply@localhost>').describe('Sender of mail'),
  MAIL_RETURN_PATH_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+\.[a-z]{2,63}$/i, 'must be a host name')
    .optional()
    .describe(
      'Host that takes bounces of mail from sender domains; each domain then needs a CNAME bounce.<domain> to it and an SPF include. Unset: bounces go to MAIL_FROM',
    ),
  GEO_DATABASE: z
    .string()
    .optional()
    .describe('Path of a MaxMind country database; unset leaves the country empty'),
  FX_RATES_SOURCE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'URL or file of reference rates, CSV or XML as the European Central Bank publishes them, read at the start and every six hours; unset leaves other currencies unconverted',
    ),
  UTM_SCAN_SECONDS: wholeNumber(1, 300)
    .default(20)
    .describe(
      'Longest that a request waits for the check of ad tags before it is answered with 504 and a job finishes the check',
    ),
  SHORTVIDEO_BASE_URL: url
    .optional()
    .describe(
      'Address of the short-video Events API that conversions are exported to; the public one, or the imitation in sandbox mode, when unset',
    ),
  BILLING: z
    .string()
    .optional()
    .describe(
      'Account that plans are paid to, as JSON: secret_key, api_base_url, prices { growth, agency }, webhook_secret (of the endpoint BASE_URL/billing/webhook; without it the provider is polled every 5 minutes); unset leaves paid plans without a checkout',
    ),
  ...Object.fromEntries(
    registrations.map((provider) => [
      `PROVIDER_${provider.toUpperCase()}`,
      z
        .string()
        .optional()
        .describe(
          `Registration at the provider ${provider} as JSON: client_id, client_secret, authorize_base_url, api_base_url, extra`,
        ),
    ]),
  ),
}
