/**
 * Database connections of one process. All pool sizes come from here and add up to STORE_CONNECTIONS: requests get what
 * the fixed ones leave.
 */
export const connectionBudget = {
  /**
   * Maximum locks per kind (lock.ts) that this process holds or waits for, each on its own connection. Others wait
   * before taking one, within their lock timeout. Counted per kind, because work under one kind may need a lock of
   * another kind.
   */
  locks: {
    // These serialise reading the database and updating the proxy.
    routes: 1,
    certificates: 1,
    // Two order queues with as many workers (features/certificates). An order without a slot counts as another
    // worker's.
    'certificate-orders': 5,
    // Operations of both engines (features/databases), plus one repair.
    database: 9,
    'project-database': 2,
    'sftp-account': 1,
    'project-directories': 1,
    // Four connection tests of new repositories (features/git), which a slow host may block, and one for builds.
    repository: 5,
    zone: 2,
    // Updates of the mail servers, one domain at a time (features/mailboxes).
    'mail-domain': 2
  },
  jobs: 4,
  jobListener: 1,
  eventListener: 1,
  workerLease: 1,
  /** Health probe of the embedded database. */
  probe: 1
} as const

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

const { locks, ...single } = connectionBudget
export const lockConnections = sum(Object.values(locks))
const fixed = lockConnections + sum(Object.values(single))

const leastForRequests = 9

/**
 * Two processes with this many leave some of PostgreSQL's default 100 for psql and a command, plus the 3 reserved for
 * superusers.
 */
export const leastConnections = fixed + leastForRequests
export const requestConnections = (connections: number): number => connections - fixed
