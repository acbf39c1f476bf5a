import { parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'
import { parseMailAddress } from '../mailboxes/mail-address.policy.ts'

interface TargetFacts {
  to: string
  ownEmail: string
  isOwnDomain(name: string): boolean
}

/** Only panels, the account's own address and its verified domains: tests must not reach strangers. */
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
      'must be delivery-test@mail.<domain of a panel>, an address of one of your verified domains, or your own email address'
  }
}
