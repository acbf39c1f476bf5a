import { z } from 'zod'
import { words } from './details.ts'

/** Parts of the name of an image in a registry, by the grammar of distribution references without IPv6 hosts. */
export interface ImageReferenceParts {
  /** Registry, with a port if it has one; `docker.io` if the reference names none. */
  host: string
  path: string
  tag: string
  /** `sha256:…`; it wins over the tag. */
  digest: string | undefined
}

const hostForm =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]{1,5})?$/
const pathForm = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/
const tagForm = /^\w[\w.-]{0,127}$/
const digestForm = /^sha256:[0-9a-f]{64}$/
const maxLength = 500

const isRegistryHost = (text: string): boolean => text.length <= 253 && hostForm.test(text)

/** Each part of a path is checked alone, so that no part can make the search slow. */
export const isImagePath = (path: string): boolean =>
  path.length < 256 && path.split('/').every((part) => pathForm.test(part))

export const isImageTag = (tag: string): boolean => tagForm.test(tag)

export const isImageDigest = (digest: string): boolean => digestForm.test(digest)

/** Docker's rule: the first part is a registry host if it cannot be a path component. */
export function splitImageName(name: string): { host: string; path: string } {
  const slash = name.indexOf('/')
  const first = name.slice(0, Math.max(slash, 0))
  const hasHost = slash > 0 && (/[.:[\]A-Z]/.test(first) || first === 'localhost')
  const host = !hasHost || first === 'index.docker.io' ? 'docker.io' : first
  const path = hasHost ? name.slice(slash + 1) : name
  return { host, path: host === 'docker.io' && !path.includes('/') ? `library/${path}` : path }
}

/** Undefined if it is not the name of an image. */
export function parseImageReference(text: string): ImageReferenceParts | undefined {
  // Engines look up hexadecimal words among the ids of local images too.
  if (text.length > maxLength || /^(?:[0-9a-f]{1,64}|sha256(?::.*)?)$/.test(text)) return undefined
  const at = text.indexOf('@')
  const digest = at < 0 ? undefined : text.slice(at + 1)
  const name = at < 0 ? text : text.slice(0, at)
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1)
  const tag = colon < 0 ? 'latest' : name.slice(colon + 1)
  const { host, path } = splitImageName(colon < 0 ? name : name.slice(0, colon))
  const isValid =
    isRegistryHost(host) && isImagePath(path) && isImageTag(tag) && (digest === undefined || isImageDigest(digest))
  return isValid ? { host, path, tag, digest } : undefined
}

/** The name that the engine pulls exactly this image by. */
export const pinnedImage = ({ host, path }: Pick<ImageReferenceParts, 'host' | 'path'>, digest: string): string =>
  `${host}/${path}@${digest}`

export const ImageReference = z
  .string()
  .max(maxLength)
  .refine((text) => parseImageReference(text) !== undefined, { error: words.IMAGE_REFERENCE })
  .meta({ description: 'Name of an image in a registry, with a tag or a digest.', examples: ['ghcr.io/org/app:1.2'] })

export const RegistryHost = z
  .string()
  .max(253)
  .refine(isRegistryHost, { error: words.REGISTRY_HOST })
  .meta({ description: 'Host of the registry, with a port if it has one; `docker.io` for Docker Hub.' })
