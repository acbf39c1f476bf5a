import { createHash } from 'node:crypto'
import { type ImageReferenceParts, isImageDigest } from '@panel/contract/image-references'
import { readChallenge } from './auth-challenge.ts'
import { type ImageRegistry, RegistryError, type RegistryLogin } from './image-registry.ts'
import { askRegistry, type RegistryAnswer, type RegistryHttpOptions, type RegistryRequest } from './registry-request.ts'

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json'
].join(', ')

/** Docker Hub's API has another host than its images. */
const apiHost = (host: string): string => (host === 'docker.io' ? 'registry-1.docker.io' : host)

/** Speaks the distribution API (OCI Distribution Specification) to the hosts that users may reach. */
export function createHttpImageRegistry(options: RegistryHttpOptions): ImageRegistry {
  const askWith = async (
    { host, path, scope, method }: Target & Pick<RegistryRequest, 'method'>,
    login: RegistryLogin | undefined
  ): Promise<RegistryAnswer> => {
    const ask = (headers: Readonly<Record<string, string>>) =>
      askRegistry(options, apiHost(host), path, { method, headers: { accept: manifestTypes, ...headers } })
    const first = await ask({})
    if (first.status !== 401) return first
    const challenge = readChallenge(textOf(first.headers['www-authenticate']))
    if (challenge?.scheme === 'bearer')
      return ask({ authorization: `Bearer ${await findToken(challenge, scope, login)}` })
    return challenge && login ? ask({ authorization: basic(login) }) : first
  }

  const findToken = async (
    { realm, service }: { realm: URL; service: string | undefined },
    scope: string | undefined,
    login: RegistryLogin | undefined
  ): Promise<string> => {
    const url = new URL(realm)
    if (service !== undefined) url.searchParams.set('service', service)
    if (scope !== undefined) url.searchParams.set('scope', scope)
    const headers: Record<string, string> = login ? { authorization: basic(login) } : {}
    const answer = await askRegistry(options, url.host, `${url.pathname}${url.search}`, { method: 'GET', headers })
    // Of the public part of a registry, a refused token means what a refused request does.
    if (answer.status === 401 || answer.status === 403) return ''
    if (answer.status !== 200) throw problemOf(answer, url.host)
    return readToken(answer.body)
  }

  return {
    async findDigest(reference, login) {
      const { host, path, tag, digest } = reference
      const target = {
        host,
        path: `/v2/${path}/manifests/${digest ?? tag}`,
        scope: `repository:${path}:pull`
      }
      const head = await askWith({ ...target, method: 'HEAD' }, login)
      if (head.status !== 200) throw imageProblem(head, reference, login)
      const named = textOf(head.headers['docker-content-digest'])
      if (named !== undefined && isImageDigest(named)) return named
      const whole = await askWith({ ...target, method: 'GET' }, login)
      if (whole.status !== 200) throw imageProblem(whole, reference, login)
      return `sha256:${createHash('sha256').update(whole.body).digest('hex')}`
    },
    async checkLogin(login) {
      const answer = await askWith({ host: login.host, path: '/v2/', scope: undefined, method: 'GET' }, login)
      if (answer.status === 401 || answer.status === 403)
        throw new RegistryError('REGISTRY_LOGIN_REFUSED', { host: login.host })
      if (answer.status !== 200) throw problemOf(answer, login.host)
    }
  }
}

interface Target {
  host: string
  path: string
  scope: string | undefined
}

const basic = ({ username, secret }: RegistryLogin): string =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`

const textOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function imageProblem(
  answer: RegistryAnswer,
  { host, path, tag, digest }: ImageReferenceParts,
  login: RegistryLogin | undefined
): RegistryError {
  const reference = digest === undefined ? `${path}:${tag}` : `${path}@${digest}`
  if (answer.status === 404) return new RegistryError('IMAGE_NOT_FOUND', { host, reference })
  if (answer.status !== 401 && answer.status !== 403) return problemOf(answer, host)
  return login
    ? new RegistryError('REGISTRY_LOGIN_REFUSED', { host })
    : new RegistryError('IMAGE_NOT_PUBLIC', { host, reference })
}

const problemOf = ({ status }: RegistryAnswer, host: string): RegistryError =>
  status === 429
    ? new RegistryError('REGISTRY_RATE_LIMITED', { host })
    : new RegistryError('REGISTRY_ANSWERED', { host, status: String(status) })

/** Empty if there is none; a value that is not a token must not end up in a header. */
function readToken(body: Buffer): string {
  try {
    const { token, access_token: accessToken } = JSON.parse(body.toString('utf8')) as Record<string, unknown>
    const found = typeof token === 'string' ? token : accessToken
    return typeof found === 'string' && /^[\x21-\x7e]{1,20000}$/.test(found) ? found : ''
  } catch {
    return ''
  }
}
