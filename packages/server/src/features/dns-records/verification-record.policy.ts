import { ownerOf } from '../dns-zones/record-name.policy.ts'

/** The one that proves the ownership is the only one that is stored under its full name. */
export function isVerificationRecord({ name }: { name: string }, hostname: string): boolean {
  return ownerOf(name, hostname) === name
}
