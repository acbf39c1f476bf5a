import type { DatabaseServer } from '../infra/database-server/database-server.ts'
import { AdapterError } from '../infra/adapter-error.ts'
import type { ProgramName } from '../programs/program.ts'
import { type ProgramStates, ProgramStartingError } from '../programs/program-states.ts'

declare module '../infra/event-bus/event-bus.ts' {
  interface ProcessEvents {
    /** A process that runs no programs needs one that may be idle. */
    'program:used': { name: ProgramName }
  }
}

interface OnDemandOptions {
  name: ProgramName
  /** As it stands in a sentence. */
  title: string
  states: ProgramStates
  /** Tells the process that runs the programs that this one is needed; called by a process that runs none. */
  requestStart: () => Promise<unknown>
}

/** A database server that `up` starts with its first use. Questions about what is in it are answered without it until it runs. */
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
        `${title} is being started for its first database; try again in a minute`
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
