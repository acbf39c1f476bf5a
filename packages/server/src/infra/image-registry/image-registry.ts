import type { FailureCode } from '@panel/contract/failure-texts'
import type { ImageReferenceParts } from '@panel/contract/image-references'
import { AdapterError } from '../adapter-error.ts'

export interface RegistryLogin {
  host: string
  username: string
  secret: string
}

/** Every request has a time limit. Rejects with RegistryError. */
export interface ImageRegistry {
  /** The digest that the reference has now. A request for the head only, which registries do not count as a pull. */
  findDigest(reference: ImageReferenceParts, login?: RegistryLogin): Promise<string>
  checkLogin(login: RegistryLogin): Promise<void>
}

type RegistryCode = Extract<FailureCode, `REGISTRY_${string}` | `IMAGE_NOT_${string}`>

/** The message is shown to the owner of the project. */
export class RegistryError extends AdapterError {
  constructor(code: RegistryCode, values: Readonly<Record<string, string>>) {
    super('registry-refused', { code, values })
    this.name = 'RegistryError'
  }
}
