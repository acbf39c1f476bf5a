import { type ImageReferenceParts, parseImageReference, pinnedImage } from '@panel/contract/image-references'
import type { SourceImage } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { BuildError } from '../../infra/image-builder/image-builder.ts'
import type { AccountImages } from '../../infra/image-builder/private-images.ts'
import type { PulledImage } from '../../infra/image-builder/pulled-image.ts'
import type { RegistryLogin } from '../../infra/image-registry/image-registry.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { findRegistryOf, hasRegistryLogins, listRegistries } from './registries.repository.ts'
import { registryHostOf } from './registry-host.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'imageRegistry' | 'secretBox'>

export interface ResolvedImage {
  sourceImage: SourceImage
  /** The name that the engine pulls it by. */
  reference: string
  digest: string
  login: RegistryLogin | undefined
}

/**
 * Asks the registry, with the credentials of the account, which digest the image of a project has now; or, of an earlier
 * release, whether the account may still read it. Rejects with RegistryError or BuildError.
 */
export async function resolveImage(
  deps: Deps,
  { userId, image }: Pick<ProjectRow, 'userId' | 'image'>,
  earlier?: SourceImage
): Promise<ResolvedImage> {
  const text = earlier?.reference ?? image
  const named = text === null ? undefined : parseImageReference(text)
  if (text === null || !named) throw new BuildError({ code: 'IMAGE_NOT_SET' })
  const reference: ImageReferenceParts = {
    ...named,
    host: registryHostOf(named.host),
    digest: earlier?.digest ?? named.digest
  }
  const login = await findLogin(deps, userId, reference.host)
  const digest = await deps.imageRegistry.findDigest(reference, login)
  return { sourceImage: { reference: text, digest }, reference: pinnedImage(reference, digest), digest, login }
}

/** What the images that a Dockerfile names are to an account, and the secrets that they are pulled with. */
export async function openAccountImages(
  deps: Deps,
  userId: string
): Promise<{ images: AccountImages; secrets: string[] }> {
  const rows = await listRegistries(deps.db, userId)
  const logins = rows.map(({ host, username, secret }) => ({ host, username, secret: deps.secretBox.open(secret) }))
  const find = async (text: string): Promise<PulledImage | undefined> => {
    const reference = parseImageReference(text)
    if (!reference) return undefined
    const host = registryHostOf(reference.host)
    const login = logins.find((each) => each.host === host)
    // The registry decides, even if an account knows the digest of another account's image.
    const canBePrivate =
      login !== undefined || (reference.digest !== undefined && (await hasRegistryLogins(deps.db, host)))
    if (!canBePrivate) return undefined
    const digest = await deps.imageRegistry.findDigest({ ...reference, host }, login)
    return { reference: pinnedImage({ ...reference, host }, digest), login }
  }
  return { images: { hosts: logins.map(({ host }) => host), find }, secrets: logins.map(({ secret }) => secret) }
}

async function findLogin(deps: Deps, userId: string, host: string): Promise<RegistryLogin | undefined> {
  const row = await findRegistryOf(deps.db, userId, host)
  return row && { host, username: row.username, secret: deps.secretBox.open(row.secret) }
}
