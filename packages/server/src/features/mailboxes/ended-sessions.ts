/** When the sessions of a mailbox were last ended, by address, in milliseconds since 1970. */
export interface EndedSessions {
  note(addresses: readonly string[], at: number): void
  at(address: string): number | undefined
}

const maxKnown = 50_000
const known = new WeakMap<object, Map<string, number>>()

/** Postfix, unlike Dovecot, cannot end sessions on command; the sending policy checks this. In memory. */
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
