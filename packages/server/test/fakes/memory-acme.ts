import { createHash, randomBytes } from 'node:crypto'
import {
  AcmeError,
  type AcmeAuthority,
  type AcmeOrderRequest,
  type IssuedCertificate
} from '../../src/infra/acme/acme.ts'

/** An in-memory authority that validates challenges like a real one. */
interface MemoryAcme extends AcmeAuthority {
  readonly orders: { hostnames: readonly string[]; resumed: boolean }[]
  /** Error of the next orders, until undefined. */
  failure: AcmeError | undefined
  caa: string[]
}

export function createMemoryAcme(
  issue: (hostnames: readonly string[]) => Promise<IssuedCertificate>,
  directoryUrl = 'https://acme.invalid/directory'
): MemoryAcme {
  const authority: MemoryAcme = {
    directoryUrl,
    orders: [],
    failure: undefined,
    caa: [],
    async caaIdentities() {
      return authority.caa
    },
    async order(request: AcmeOrderRequest) {
      const { hostnames, challengeType } = request
      if (challengeType !== 'dns-01' && hostnames.some((name) => name.startsWith('*.')))
        throw new AcmeError('refused', 'A wildcard can only be validated with dns-01.')
      authority.orders.push({ hostnames: [...request.hostnames], resumed: request.resume !== undefined })
      const issued = await issue(request.hostnames)
      await request.onOrder(
        request.resume ?? { orderUrl: `${directoryUrl}/order/${randomBytes(4).toString('hex')}`, keyPem: issued.keyPem }
      )
      for (const name of request.hostnames) {
        const token = randomBytes(16).toString('base64url')
        const keyAuthorization = `${token}.${randomBytes(16).toString('base64url')}`
        const challenge = {
          type: request.challengeType,
          hostname: name.replace(/^\*\./, ''),
          token,
          keyAuthorization,
          dnsValue: createHash('sha256').update(keyAuthorization).digest('base64url')
        }
        try {
          await request.publish(challenge)
          if (request.signal.aborted) throw new AcmeError('aborted', 'aborted')
          if (authority.failure) throw authority.failure
        } finally {
          await request.unpublish(challenge)
        }
      }
      return issued
    }
  }
  return authority
}
