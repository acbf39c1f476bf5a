/** When the sessions of a mailbox were last ended, by address, in milliseconds since 1970. */
export interface EndedSessions {
  note(addresses: readonly string[], at: number): void
  at(address: string): number | undefined
}

const maxKnown = 50_000
const known = new WeakMap<object, Map<string, number>>()

/**
 * Dovecot ends sessions on command. Postfix authenticates once per session and cannot, so the sending policy checks
 * this instead. In memory: only one worker runs at a time.
 */
export function endedSessions(mailServer: object): EndedSessions {
  const ended = known.get(mailServer) ?? new Map<string, number>()
  known.set(mailServer, ended)
  return {
    note(addresses, at) {
      for (const address of addresses) {
        ended.delete(address)
        ended.set(address, at)
        if (ended.size > maxKnown) ended.delete(ended.keys().next().value!)
      }
    },
    at: (address) => ended.get(address)
  }
}
