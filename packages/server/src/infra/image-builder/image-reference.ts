import { isImageDigest, isImagePath, isImageTag, splitImageName } from '@panel/contract/image-references'

const privateDomains = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa'] // oxfmt-ignore

type ParsedReference = { reference: string } | { problem: string }

/**
 * Full name `docker.io/library/node:20`: engines look up short words among the ids of local images too. Registries that
 * the account has credentials for do not have to be public.
 */
export function canonicalReference(text: string, registryHosts: readonly string[] = []): ParsedReference {
  if (text.length > 500) return problem(`${text.slice(0, 40)}… is too long for an image name`)
  const shown = JSON.stringify(text)
  if (/^[0-9a-f]{1,64}$/.test(text)) {
    return problem(`${shown} could be an image ID; write the name with a tag, such as ${text.slice(0, 20)}:latest`)
  }
  const at = text.indexOf('@')
  const digest = at < 0 ? undefined : text.slice(at + 1)
  const name = at < 0 ? text : text.slice(0, at)
  if (name === '' || name === 'sha256' || name.startsWith('sha256:')) {
    return problem(`${shown} is an image ID; write the name of an image in a registry`)
  }
  if (digest !== undefined && !isImageDigest(digest)) {
    return problem(`${shown} has an invalid digest; write name@sha256:… with 64 hexadecimal digits`)
  }
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1)
  const tag = colon < 0 ? 'latest' : name.slice(colon + 1)
  const { host: domain, path } = splitImageName(colon < 0 ? name : name.slice(0, colon))
  const wrong = registryHosts.includes(domain) ? undefined : domainProblem(domain)
  if (wrong !== undefined) return problem(wrong)
  if (!isImagePath(path) || !isImageTag(tag)) {
    return problem(`${shown} is not a valid image name; write name:tag or registry.example.com/name:tag`)
  }
  return { reference: digest === undefined ? `${domain}/${path}:${tag}` : `${domain}/${path}@${digest}` }
}

export const registryHost = (reference: string): string => reference.split('/')[0]!.split(':')[0]!

const problem = (text: string) => ({ problem: text })

function domainProblem(domain: string): string | undefined {
  const labels = domain.replace(/:[0-9]{1,5}$/, '').split('.')
  const last = labels.at(-1)!
  const isPublic =
    labels.length > 1 &&
    labels.every((label) => label.length < 64 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label)) &&
    // The last label must not be numeric: some resolvers read such names as IP addresses.
    /^[a-z][a-z0-9-]+$/.test(last) &&
    !privateDomains.some((name) => labels.join('.').endsWith(`.${name}`))
  return isPublic
    ? undefined
    : `the registry ${JSON.stringify(domain.slice(0, 100))} is not a public hostname in lower case; only public registries and those that you have credentials for are allowed`
}
