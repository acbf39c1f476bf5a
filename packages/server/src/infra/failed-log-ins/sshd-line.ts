// The username in these lines is the client's. The address after it is matched from the end, where sshd writes it.
// A username that does not exist is logged by both, and so counts twice.
const patterns = [
  /^Failed (?:password|keyboard-interactive\/pam) for .* from (\S+) port \d+(?: ssh2)?$/,
  /^Invalid user .* from (\S+) port \d+$/
]

/**
 * Address of a client whose sign-in failed; undefined for other lines. Failed public keys are skipped: clients try all
 * the keys they have.
 */
export function failedAddressOf(line: string): string | undefined {
  for (const pattern of patterns) {
    const address = pattern.exec(line.trimEnd())?.[1]
    if (address !== undefined) return address
  }
  return undefined
}
