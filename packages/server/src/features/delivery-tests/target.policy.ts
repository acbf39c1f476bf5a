import { parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'
import { parseMailAddress } from '../mailboxes/mail-address.policy.ts'

interface TargetFacts {
  to: string
  /** Email address of the account. */
  ownEmail: string
  isOwnDomain(name: string): boolean
}

/**
 * Tests may only go to delivery-test addresses of panels, to the account's own email address and to its verified
 * domains, so that they cannot be used to send mail to strangers.
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
      'must be delivery-test@mail.<domain of a panel>, an address of one of your verified domains, or your own email address'
  }
}
