import type { DatabaseServer } from '../infra/database-server/database-server.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import type { ProgramName } from '../programs/program.ts'
import { type ProgramStates, ProgramStartingError } from '../programs/program-states.ts'

declare module '../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** Sent by a process that runs no programs when it needs one that may be idle. */
    'program:used': { name: ProgramName }
  }
}

interface OnDemandOptions {
  name: ProgramName
  title: string
  states: ProgramStates
  /** Asks the process that runs the programs to start this one; used in processes that run none. */
  requestStart: () => Promise<unknown>
}

/** A database server that `up` starts on first use. Until then, queries return empty results without starting it. */
export function onDemandDatabaseServer(
  server: DatabaseServer,
  { name, title, states, requestStart }: OnDemandOptions
): DatabaseServer {
  const isUp = () => !['idle', 'starting'].includes(states.of(name) ?? '')
  const start = () =>
    states.use(name).catch((error: unknown) => {
      if (!(error instanceof ProgramStartingError)) throw error
      throw new AdapterError(
        'database-server-unavailable',
        `${title} is starting for its first database, which takes about a minute.`,
        { remedy: 'TRY_AGAIN' }
      )
    })
  return {
    ...server,
    async ping() {
      await start()
      return server.ping().catch(async (error: unknown) => {
        if (states.of(name) === undefined) await requestStart()
        throw error
      })
    },
    provision: (account) => start().then(() => server.provision(account)),
    setPassword: (account) => start().then(() => server.setPassword(account)),
    drop: (account, options) => start().then(() => server.drop(account, options)),
    test: (account) => start().then(() => server.test(account)),
    limitAccounts: async (usernames) => (isUp() ? server.limitAccounts(usernames) : undefined),
    sizes: async (databases) => (isUp() ? server.sizes(databases) : new Map()),
    countConnections: async () => (isUp() ? server.countConnections() : 0)
  }
}
