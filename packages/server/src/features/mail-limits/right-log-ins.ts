const maxKnown = 50_000

/** Time of the last successful login, by mailbox and client address, in milliseconds since 1970. */
interface RightLogIns {
  note(login: string, address: string, at: number): void
  at(login: string, address: string): number | undefined
}

const known = new WeakMap<object, Map<string, number>>()

/** Per process: only one worker runs at a time. */
export function rightLogIns(mailServer: object): RightLogIns {
  const logIns = known.get(mailServer) ?? new Map<string, number>()
  known.set(mailServer, logIns)
  const keyOf = (login: string, address: string) => `${address} ${login.toLowerCase()}`
  return {
    note(login, address, at) {
      const key = keyOf(login, address)
      logIns.delete(key)
      logIns.set(key, at)
      if (logIns.size > maxKnown) logIns.delete(logIns.keys().next().value!)
    },
    at: (login, address) => logIns.get(keyOf(login, address))
  }
}
