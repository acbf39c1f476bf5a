import { ownerOf } from '../dns-zones/record-name.policy.ts'

/** Only the verification record is stored under its full name. */
export function isVerificationRecord({ name }: { name: string }, hostname: string): boolean {
  return ownerOf(name, hostname) === name
}
