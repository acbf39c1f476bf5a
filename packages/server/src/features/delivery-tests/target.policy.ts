import { parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'
import { parseMailAddress } from '../mailboxes/mail-address.policy.ts'

interface TargetFacts {
  to: string
  /** E-mail address of the account. */
  ownEmail: string
  isOwnDomain(name: string): boolean
}

/**
 * Where a test may go: to a panel, which takes nothing else at this address; to whoever the account is; or to a domain that it has proved to be its
 * own. So nobody is written to who has nothing to do with it.
 */
export function parseTarget({ to, ownEmail, isOwnDomain }: TargetFacts): { address: string } | { problem: string } {
  const parsed = parseMailAddress(to.trim())
  if ('problem' in parsed) return parsed
  const { address } = parsed
  const test = parseDeliveryTestAddress(address)
  if (test && test.token === undefined) return { address }
  if (address === ownEmail.toLowerCase()) return { address }
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (isOwnDomain(domain)) return { address }
  return {
    problem:
      'must be delivery-test@mail.<domain of a panel>, an address of one of your verified domains, or your own e-mail address'
  }
}
