import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { accountDefaults, accountVariables } from './config/accounts.ts'
import { buildVariables } from './config/builds.ts'
import { certificateVariables } from './config/certificates.ts'
import { containerVariables, portRangeProblem } from './config/containers.ts'
import { databaseVariables } from './config/databases.ts'
import { dnsDefaults, dnsVariables } from './config/dns.ts'
import { fileDefaults, fileVariables } from './config/files.ts'
import { gitDefaults, gitVariables } from './config/git.ts'
import { intervalVariables } from './config/intervals.ts'
import { mailDefaults, mailVariables } from './config/mail.ts'
import { monitoringVariables } from './config/monitoring.ts'
import { panelDefaults, panelVariables } from './config/panel.ts'
import { storeVariables } from './config/store.ts'
import { tcpPortsProblem, tcpPortVariables } from './config/tcp-ports.ts'

const Environment = z.object({
  ...panelVariables,
  ...storeVariables,
  ...intervalVariables,
  ...accountVariables,
  ...mailVariables,
  ...monitoringVariables,
  ...dnsVariables,
  ...certificateVariables,
  ...databaseVariables,
  ...fileVariables,
  ...containerVariables,
  ...tcpPortVariables,
  ...buildVariables,
  ...gitVariables
})

export type VariableName = keyof typeof Environment.shape

/** Every variable that the panel reads. */
export const variableNames = Object.keys(Environment.shape) as readonly VariableName[]

/** Where a value stands that is not a default. */
export type GivenBy = 'environment' | 'file'

export type Config = Readonly<ReturnType<typeof withDefaults> & { sources: Readonly<Record<string, GivenBy>> }>

export interface ConfigProblem {
  variable: string
  problem: string
}

/** Every bad variable at once, each with what is wrong with it. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(`Bad configuration:\n${problems.map((p) => `  ${p.variable} ${p.problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Parses the environment once; an empty variable is none, paths come out absolute, defaults filled. Throws ConfigError. `sources` says of
 * variables that are given by whom.
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>>,
  sources: Readonly<Record<string, GivenBy>> = {}
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  const problems = [...(parsed.error?.issues ?? []).map((issue) => problemOf(issue, given)), ...rangeProblems(given)]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return Object.freeze({ ...withDefaults(parsed.data), sources })
}

/** Reads one variable as `parseConfig` does, by the same schema. */
export function parseVariable(name: VariableName, text: string): { value: unknown } | { problem: string } {
  const parsed = Environment.shape[name].safeParse(text)
  return parsed.success ? { value: parsed.data } : { problem: parsed.error.issues[0]?.message ?? 'is not valid' }
}

/** What is wrong with variables next to each other, which are each good. */
export function crossProblems(
  values: Parameters<typeof portRangeProblem>[0] & Parameters<typeof tcpPortsProblem>[0]
): ConfigProblem[] {
  const problem = portRangeProblem(values)
  const published = tcpPortsProblem(values)
  return [
    ...(problem === undefined ? [] : [{ variable: 'DEPLOY_PORT_RANGE_END', problem }]),
    ...(published === undefined ? [] : [published])
  ]
}

function problemOf(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): ConfigProblem {
  const variable = String(issue.path[0] ?? 'environment')
  const isMissing = issue.code === 'invalid_type' && given[variable] === undefined
  return { variable, problem: isMissing ? 'is missing' : issue.message }
}

/** Named beside the others, so it looks at its variables alone. */
function rangeProblems(given: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const ports = Environment.pick({
    DEPLOY_PORT_RANGE_START: true,
    DEPLOY_PORT_RANGE_END: true,
    PROXY_HTTP_PORT: true,
    PROXY_HTTPS_PORT: true,
    TCP_PORTS: true,
    TCP_TLS_PORT: true
  }).safeParse(given)
  return ports.success ? crossProblems(ports.data) : []
}

/** Variables whose default is made of others: they follow a change of these, unless they are set themselves. */
export const derivedVariables = ['API_BASE_URL', 'MAIL_FROM', 'DNS_NAMESERVERS', 'DNS_HOSTMASTER'] as const

/** `base` with these values in place of its own, and what follows from them. */
export function withValues(base: Config, values: ReadonlyMap<VariableName, unknown>): Config {
  const notSet = withDefaults({
    ...base,
    API_BASE_URL: undefined,
    MAIL_FROM: undefined,
    DNS_NAMESERVERS: [],
    DNS_HOSTMASTER: undefined
  })
  const isDefault = (name: (typeof derivedVariables)[number]) => isDeepStrictEqual(base[name], notSet[name])
  const changed = { ...base, ...Object.fromEntries(values) }
  const derived = withDefaults({
    ...changed,
    ...(isDefault('API_BASE_URL') ? { API_BASE_URL: undefined } : {}),
    ...(isDefault('MAIL_FROM') ? { MAIL_FROM: undefined } : {}),
    ...(isDefault('DNS_NAMESERVERS') ? { DNS_NAMESERVERS: [] } : {}),
    ...(isDefault('DNS_HOSTMASTER') ? { DNS_HOSTMASTER: undefined } : {}),
    ...Object.fromEntries(values)
  })
  return { ...changed, ...Object.fromEntries(derivedVariables.map((name) => [name, derived[name]])) }
}

/** What a variable is where it is not set and follows from others. */
function withDefaults(values: z.infer<typeof Environment>) {
  const panel = panelDefaults(values)
  return {
    ...values,
    ...panel,
    ...accountDefaults(values),
    ...mailDefaults(values),
    ...dnsDefaults(values),
    ...fileDefaults({ ...values, ...panel }),
    ...gitDefaults({ ...values, ...panel })
  }
}
