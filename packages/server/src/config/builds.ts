import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { bytes, listOf, parsedBy, parseNetworks, whole } from './values.ts'

/** URL that may contain credentials. The message never includes it, because it is shown and logged. */
const registryUrl = parsedBy((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    throw new Error('must be an address such as https://user:password@registry.example.com/path')
  try {
    decodeURIComponent(url.username + url.password)
  } catch {
    throw new Error('must have its user and password percent-encoded')
  }
  return url.href
})

/** A proxy has no path. */
const proxyUrl = registryUrl.refine((address) => new URL(address).pathname === '/', {
  error: 'must be an address such as http://user:password@proxy.example.com:3128'
})

const hostsWithoutProxy = parsedBy((text) => {
  const hosts = listOf(text)
  if (!hosts.every((host) => /^[\w.*:-]+(\/\d{1,3})?$/.test(host)))
    throw new Error('must be hosts, domains and networks with commas between them, such as .example.com,10.0.0.0/8')
  return hosts
})

/** Image builds and their disk usage. */
export const buildVariables = {
  BUILDER: z.enum(['builtin', 'nixpacks', 'railpack']).default('builtin'),
  BUILDKIT_HOST: z.string().optional(),
  BUILD_IMAGE_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._/-]{0,60}$/)
    .default('panel'),
  BUILD_IMAGE_NODE: z.string().default('node:{version}-trixie-slim'),
  BUILD_IMAGE_COMPILERS: z.string().optional(),
  BUILD_IMAGE_PYTHON: z.string().default('python:{version}-slim-trixie'),
  BUILD_IMAGE_STATIC: z.string().default('caddy:2'),
  BUILD_IMAGE_PHP: z.string().default('php:{version}-fpm'),
  NPM_REGISTRY: registryUrl.optional(),
  PIP_INDEX_URL: registryUrl.optional(),
  REGISTRY_ALLOW: z.string().default('').pipe(parsedBy(parseNetworks)),
  BUILD_PROXY: proxyUrl.optional(),
  BUILD_NO_PROXY: z.string().default('localhost,127.0.0.1').pipe(hostsWithoutProxy),
  BUILD_CPU_LIMIT: z.coerce
    .number()
    .min(0.01)
    .max(1024)
    .default(Math.max(1, availableParallelism() - 1)),
  BUILD_MEMORY_LIMIT: z.string().default('2g').pipe(bytes),
  BUILD_PIDS_LIMIT: whole(32, 100_000).default(1024),
  BUILD_TIMEOUT: whole(10, 86_400).default(1800),
  BUILD_CONCURRENCY: whole(1, 64).default(Math.max(1, Math.floor(availableParallelism() / 2))),
  BUILD_CONTEXT_MAX: z.string().default('1g').pipe(bytes),
  BUILD_LOGS_KEPT: whole(1, 1000).default(20),
  ACCOUNT_LOG_LIMIT: z.string().default('100m').pipe(bytes),
  IMAGE_DISK_BUDGET: z.string().default('20g').pipe(bytes),
  BUILD_CACHE_DAYS: whole(1, 3650).default(30),
  MIN_FREE_DISK: z.string().default('2g').pipe(bytes)
}

type Values = z.infer<z.ZodObject<typeof buildVariables>>

/** Environment of every build step: predefined build arguments, which stay out of the image history. */
export function buildProxyArguments(config: Pick<Values, 'BUILD_PROXY' | 'BUILD_NO_PROXY'>): Record<string, string> {
  if (config.BUILD_PROXY === undefined) return {}
  const proxy = config.BUILD_PROXY.replace(/\/$/, '')
  const values = { http_proxy: proxy, https_proxy: proxy, no_proxy: config.BUILD_NO_PROXY.join(',') }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [name, value],
      [name.toUpperCase(), value]
    ])
  )
}

/** Secrets to mask in build logs: the URLs and the passwords in them. */
export function mirrorSecrets(
  config: Pick<Values, 'NPM_REGISTRY' | 'PIP_INDEX_URL' | 'BUILD_PROXY'>
): { key: string; value: string }[] {
  const addresses = [config.NPM_REGISTRY, config.PIP_INDEX_URL, config.BUILD_PROXY]
  return addresses.flatMap((address) => {
    if (address === undefined) return []
    const { username, password } = new URL(address)
    if (username === '' && password === '') return []
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    // The user may be a token.
    const secret = password === '' ? username : password
    const values = [secret, decodeURIComponent(secret), login]
    return [...new Set(values)].map((value) => ({ key: 'MIRROR_PASSWORD', value }))
  })
}
